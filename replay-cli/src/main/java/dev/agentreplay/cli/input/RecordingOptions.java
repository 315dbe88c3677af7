package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.NearestName;
import dev.agentreplay.records.InvalidRecordException.Problem;
import dev.agentreplay.records.Kickoff;
import dev.agentreplay.records.OperatorIntervention;
import dev.agentreplay.records.RecordForm;
import dev.agentreplay.records.SessionInputs.ProtocolVersions;
import dev.agentreplay.records.SessionOutputs;
import dev.agentreplay.records.SessionRecords;
import dev.agentreplay.records.recording.RecordedThread;
import dev.agentreplay.records.recording.SessionRecording;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The parts of a session record that neither an export of messages nor a log states. */
public final class RecordingOptions {

  /** The members that {@code --outputs} may state. */
  private static final Set<String> COUNTED = Set.of(
      "hypothesis_count",
      "test_count",
      "assumption_count",
      "anomaly_count",
      "critique_count",
      "scorecard_grade",
      "scorecard_points");

  @Option(
      names = "--session-id",
      paramLabel = "ID",
      description =
          "Id of the session (default: the thread of the messages, or the name of the file).")
  private @Nullable String sessionId;

  @Option(
      names = "--roster",
      paramLabel = "FILE",
      description = "JSON file with the array of the agents: agent_name, role, program, model, and"
          + " optionally model_version and temperature.")
  private @Nullable Path roster;

  @Option(
      names = "--artifact",
      paramLabel = "FILE",
      description = "File with the text of the final artifact.")
  private @Nullable Path artifact;

  @Option(
      names = "--compiled-bodies",
      description = "The text of a COMPILE message, or of PUBLISH in a round without one, is the"
          + " artifact that was compiled.")
  private boolean compiledBodies;

  @Option(
      names = "--lint",
      paramLabel = "FILE",
      description = "JSON file with the result of linting the artifact: errors, warnings, valid.")
  private @Nullable Path lint;

  @Option(
      names = "--outputs",
      paramLabel = "FILE",
      description = "JSON file with the numbers of the artifact: hypothesis_count, test_count,"
          + " scorecard_grade and so on.")
  private @Nullable Path outputs;

  @Option(
      names = "--interventions",
      paramLabel = "FILE",
      description = "JSON file with the array of the interventions of operators.")
  private @Nullable Path interventions;

  @Mixin
  private InputOptions inputs = new InputOptions();

  /** The files that the options name. */
  public List<Path> files() {
    List<Path> files = new ArrayList<>(inputs.files());
    Stream.of(roster, artifact, lint, outputs, interventions)
        .filter(file -> file != null)
        .forEach(files::add);
    return files;
  }

  /** Refuses values that cannot be used. */
  public void check() {
    if (sessionId != null && sessionId.isBlank()) {
      throw new UsageException("--session-id: expected an id, found an empty text");
    }
    inputs.versions(ProtocolVersions.defaults());
  }

  /** Whether the id of the session is stated, by itself or in the kickoff. */
  public boolean isSessionStated() {
    return sessionId != null || inputs.isKickoffGiven();
  }

  /**
   * Makes the record of a session with what the options state.
   *
   * @param source the name of its export or log
   * @param name the id of the session, if nothing states it
   * @throws InvalidInputException if a file is not of the expected form
   * @throws IOException if a file cannot be read, or the session cannot be recorded
   */
  public RecordedThread record(SessionRecording recording, String source, String name)
      throws IOException {
    if (sessionId != null) {
      recording.sessionId(sessionId);
    }
    Kickoff kickoff = inputs.kickoff(sessionId == null ? name : sessionId);
    if (kickoff != null) {
      recording.kickoff(kickoff);
    }
    var evidence = inputs.evidence();
    if (evidence != null) {
      recording.evidence(evidence);
    }
    if (inputs.areVersionsGiven()) {
      recording.protocolVersions(inputs.versions(ProtocolVersions.defaults()));
    }
    if (roster != null) {
      recording.roster(
          JsonFile.read(roster, "a roster of agents", v -> SessionRecords.readRoster(v)));
    }
    if (artifact != null) {
      recording.artifact(TextFile.read(artifact, "an artifact"));
    }
    if (interventions != null) {
      recording.interventions(JsonFile.read(
          interventions,
          "an array of interventions",
          RecordForm.of(OperatorIntervention.class)::readList));
    }
    results(recording);
    try {
      return recording.compiledBodies(compiledBodies).record();
    } catch (IllegalArgumentException e) {
      throw new IOException("%s: %s".formatted(source, Style.plain("" + e.getMessage())), e);
    }
  }

  private void results(SessionRecording recording) throws IOException {
    if (lint != null) {
      recording.lintResult(JsonFile.read(
          lint, "the result of a linter", RecordForm.of(SessionOutputs.LintResult.class)::read));
    }
    if (outputs != null) {
      String what = "the numbers of an artifact";
      JsonObject stated = JsonFile.read(outputs, what);
      requireCounted(outputs, what, stated);
      SessionOutputs read = JsonFile.read(
          outputs, what, value -> RecordForm.of(SessionOutputs.class).read(merged(stated)));
      recording.counts(read.counts()).scorecard(read.scorecard());
    }
  }

  /** Refuses members that would be left out. */
  private static void requireCounted(Path file, String what, JsonObject stated)
      throws InvalidInputException {
    List<Problem> problems = stated.names().stream()
        .filter(name -> !COUNTED.contains(name))
        .map(name -> new Problem(
            name,
            switch (name) {
              case "final_artifact_hash" -> "is that of the file of --artifact; remove it here";
              case "lint_result" -> "is stated by --lint; remove it here";
              default ->
                "is not a number of an artifact"
                    + NearestName.suggestion(name, List.copyOf(COUNTED));
            }))
        .toList();
    if (!problems.isEmpty()) {
      throw new InvalidInputException("%s: not %s".formatted(file, what), problems, null);
    }
  }

  private static JsonObject merged(JsonObject stated) {
    JsonObject merged = SessionOutputs.EMPTY.toJson();
    for (String member : stated.names()) {
      JsonValue value = stated.get(member);
      if (value != null) {
        merged = merged.with(member, value);
      }
    }
    return merged;
  }
}
