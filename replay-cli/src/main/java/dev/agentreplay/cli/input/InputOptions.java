package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.NearestName;
import dev.agentreplay.records.EvidenceRecordSummary;
import dev.agentreplay.records.Kickoff;
import dev.agentreplay.records.RecordForm;
import dev.agentreplay.records.SessionInputs;
import dev.agentreplay.records.SessionInputs.ProtocolVersions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The inputs of a session that are stated on the command line. */
public final class InputOptions {

  private static final List<String> VERSIONS = List.of(
      "role_prompts", "delta_format", "artifact_schema", "evaluation_rubric", "evidence_pack");

  @Option(
      names = "--kickoff",
      paramLabel = "FILE",
      description = "JSON file with the kickoff: question, excerpt, theme, domain and so on.")
  private @Nullable Path kickoff;

  @Option(
      names = "--evidence",
      paramLabel = "FILE",
      description = "JSON file with the array of the evidence that the session is given.")
  private @Nullable Path evidence;

  @Option(
      names = "--protocol",
      paramLabel = "NAME=VALUE",
      description = "Version of role_prompts, delta_format, artifact_schema, evaluation_rubric or"
          + " evidence_pack. Repeatable.")
  private List<String> protocols = new ArrayList<>();

  /** Whether an input is stated. */
  public boolean areGiven() {
    return kickoff != null || evidence != null || !protocols.isEmpty();
  }

  /** Whether a kickoff is stated. */
  public boolean isKickoffGiven() {
    return kickoff != null;
  }

  /** Whether a version is stated. */
  public boolean areVersionsGiven() {
    return !protocols.isEmpty();
  }

  /** The files that the options name. */
  public List<Path> files() {
    List<Path> files = new ArrayList<>();
    if (kickoff != null) {
      files.add(kickoff);
    }
    if (evidence != null) {
      files.add(evidence);
    }
    return files;
  }

  /**
   * Returns inputs with those that are stated.
   *
   * @throws IOException if a file cannot be read, or is not of the expected form
   */
  public SessionInputs applyTo(SessionInputs inputs) throws IOException {
    SessionInputs changed = inputs;
    Kickoff stated = kickoff(inputs.kickoff().threadId());
    if (stated != null) {
      changed = changed.withKickoff(stated);
    }
    List<EvidenceRecordSummary> given = evidence();
    if (given != null) {
      changed = changed.withExternalEvidence(given);
    }
    return changed.withProtocolVersions(versions(changed.protocolVersions()));
  }

  /**
   * The stated kickoff; null if there is none.
   *
   * @param thread the id of the thread, if the file does not state it
   */
  public @Nullable Kickoff kickoff(String thread) throws IOException {
    if (kickoff == null) {
      return null;
    }
    return JsonFile.read(kickoff, "a kickoff", value -> RecordForm.of(Kickoff.class)
        .read(
            value instanceof JsonObject stated && !stated.has("thread_id")
                ? stated.with("thread_id", thread)
                : value));
  }

  /** The stated evidence; null if none is stated. */
  public @Nullable List<EvidenceRecordSummary> evidence() throws IOException {
    return evidence == null
        ? null
        : JsonFile.read(
            evidence, "an array of evidence", RecordForm.of(EvidenceRecordSummary.class)::readList);
  }

  /** Returns versions with those that are stated. */
  public ProtocolVersions versions(ProtocolVersions versions) {
    Map<String, String> stated = new LinkedHashMap<>();
    for (String protocol : protocols) {
      int equals = protocol.indexOf('=');
      String name = equals < 0 ? protocol : protocol.substring(0, equals);
      if (equals < 0 || equals == protocol.length() - 1 || !VERSIONS.contains(name)) {
        throw new UsageException(
            "--protocol: expected NAME=VALUE with one of %s as NAME, found \"%s\"%s"
                .formatted(
                    String.join(", ", VERSIONS), protocol, NearestName.suggestion(name, VERSIONS)));
      }
      if (stated.put(name, protocol.substring(equals + 1)) != null) {
        throw new UsageException("--protocol: two versions of " + name);
      }
    }
    return new ProtocolVersions(
        stated.getOrDefault("role_prompts", versions.rolePrompts()),
        stated.getOrDefault("delta_format", versions.deltaFormat()),
        stated.getOrDefault("artifact_schema", versions.artifactSchema()),
        stated.getOrDefault("evaluation_rubric", versions.evaluationRubric()),
        stated.getOrDefault("evidence_pack", versions.evidencePack()),
        versions.extra());
  }
}
