package dev.agentreplay.cli;

import dev.agentreplay.cli.input.InputOptions;
import dev.agentreplay.cli.input.JsonFile;
import dev.agentreplay.cli.input.PathConverter;
import dev.agentreplay.cli.input.SessionInput;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.records.Kickoff;
import dev.agentreplay.records.OperatorIntervention;
import dev.agentreplay.records.RecordForm;
import dev.agentreplay.records.SessionInputs.ProtocolVersions;
import dev.agentreplay.records.SessionOutputs;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionRecords;
import dev.agentreplay.records.recording.InvalidExportException;
import dev.agentreplay.records.recording.MessageExport;
import dev.agentreplay.records.recording.RecordedThread;
import dev.agentreplay.records.recording.SessionRecording;
import dev.agentreplay.records.store.RecordFile;
import dev.agentreplay.records.store.RecordStore;
import dev.agentreplay.records.store.RecordTexts;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code replay session record}. */
@Command(
    name = "record",
    header = "Make a session record from an export of messages, or from a recorded session.",
    description = {
      "An export is a JSON array, or JSON lines, of messages with ts, from, type (or a subject that begins",
      "with it, such as \"DELTA: ...\") and body_md, and optionally id, subject, acknowledged and thread_id.",
      "Prints what the record states that the source does not, and what the record leaves out."
    },
    exitCodeList = {
      "0:Recorded; the output says whether the record can be replayed.",
      "2:Wrong usage, or an existing file.",
      "3:Unreadable input."
    },
    footer = {
      "  replay session record thread.json --roster roster.json --output record.json",
      "  replay session record sessions/fix-auth --artifact artifact.md --output record.json",
      "  replay session record thread.jsonl --roster roster.json --store research"
    })
final class SessionRecordCommand extends TerminalCommand {

  /** The number of bytes that show whether a file is an export. */
  private static final int HEAD = 1 << 16;

  @Mixin
  SessionInput sessions = new SessionInput();

  @Mixin
  InputOptions inputs = new InputOptions();

  @Spec
  CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      paramLabel = "THREAD",
      description = "Export of messages; or session directory, log, packed session, or id.")
  String name = "";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "File of the record; its texts go to the directory content next to it.")
  @Nullable
  Path file;

  @Option(
      names = "--store",
      paramLabel = "DIR",
      description = "Directory with records and their texts, to which the record is added.")
  @Nullable
  Path store;

  @Option(
      names = "--session-id",
      paramLabel = "ID",
      description =
          "Id of the session (default: the thread of the messages, or the name of the file).")
  @Nullable
  String sessionId;

  @Option(
      names = "--roster",
      paramLabel = "FILE",
      description = "JSON file with the array of the agents: name, role, program, model.")
  @Nullable
  Path roster;

  @Option(
      names = "--artifact",
      paramLabel = "FILE",
      description = "File with the text of the final artifact.")
  @Nullable
  Path artifact;

  @Option(
      names = "--compiled-bodies",
      description = "The text of a COMPILE message, or of PUBLISH in a round without one, is the"
          + " artifact that was compiled.")
  boolean compiledBodies;

  @Option(
      names = "--lint",
      paramLabel = "FILE",
      description = "JSON file with the result of linting the artifact: errors, warnings, valid.")
  @Nullable
  Path lint;

  @Option(
      names = "--outputs",
      paramLabel = "FILE",
      description = "JSON file with numbers of hypotheses, tests and so on, and the grade.")
  @Nullable
  Path outputs;

  @Option(
      names = "--interventions",
      paramLabel = "FILE",
      description = "JSON file with the array of the interventions of operators.")
  @Nullable
  Path interventions;

  @Option(names = "--no-content", description = "Write no texts, only their hashes.")
  boolean noContent;

  @Option(names = "--overwrite", description = "Replace FILE if it exists.")
  boolean overwrite;

  SessionRecordCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    if ((file == null) == (store == null)) {
      throw wrong("expected either --output FILE or --store DIR");
    }
    if (overwrite && file == null) {
      throw wrong("--overwrite requires --output");
    }
    RecordedThread recorded;
    MessageExport export = export();
    if (export != null) {
      SessionRecording recording = SessionRecording.of(export);
      if (sessionId == null && export.threadId() == null && inputs.kickoff("") == null) {
        String stem = stem(Path.of(name));
        complain("session_id: the name of the file, %s".formatted(stem));
        recording.sessionId(stem);
      }
      recorded = record(recording, export.threadId());
    } else {
      try (OpenSession open = sessions.open(name)) {
        recorded = record(SessionRecording.of(open.session()), null);
      }
    }
    write(recorded);
    return ExitCode.OK;
  }

  /** The export of that name; null if it is that of a session. */
  private @Nullable MessageExport export() throws IOException {
    Path path = PathConverter.parse(name);
    if (!Files.isRegularFile(path)) {
      return null;
    }
    try (InputStream head = RegularFiles.open(path)) {
      if (!MessageExport.isExport(head.readNBytes(HEAD))) {
        return null;
      }
    }
    sessions.addInput(path);
    try (InputStream in = RegularFiles.open(path)) {
      return MessageExport.read(in);
    } catch (InvalidExportException e) {
      throw new IOException("%s: %s".formatted(path, e.getMessage()), e);
    }
  }

  private static String stem(Path path) {
    String file = String.valueOf(path.getFileName());
    int dot = file.indexOf('.');
    return dot > 0 ? file.substring(0, dot) : file;
  }

  /**
   * Makes a record.
   *
   * @param thread the thread that the messages state; null if they do not
   */
  private RecordedThread record(SessionRecording recording, @Nullable String thread)
      throws IOException {
    String session = sessionId != null ? sessionId : thread;
    if (sessionId != null) {
      recording.sessionId(sessionId);
    }
    Kickoff kickoff = inputs.kickoff(session == null ? stem(Path.of(name)) : session);
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
      recording.artifact(text(artifact));
    }
    if (lint != null) {
      recording.lintResult(JsonFile.read(
          lint, "the result of a linter", RecordForm.of(SessionOutputs.LintResult.class)::read));
    }
    if (outputs != null) {
      SessionOutputs stated = JsonFile.read(outputs, "outputs", value -> {
        JsonObject base = SessionOutputs.EMPTY.toJson();
        return RecordForm.of(SessionOutputs.class)
            .read(value instanceof JsonObject object ? merged(base, object) : value);
      });
      recording.counts(stated.counts()).scorecard(stated.scorecard());
    }
    if (interventions != null) {
      recording.interventions(JsonFile.read(
          interventions,
          "an array of interventions",
          RecordForm.of(OperatorIntervention.class)::readList));
    }
    return recording.compiledBodies(compiledBodies).record();
  }

  private static JsonObject merged(JsonObject base, JsonObject stated) {
    JsonObject merged = base;
    for (String member : stated.names()) {
      merged = merged.with(member, stated.at("/" + member.replace("~", "~0").replace("/", "~1")));
    }
    return merged;
  }

  private static String text(Path path) throws IOException {
    try (InputStream in = RegularFiles.open(path)) {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(in.readAllBytes()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new IOException("%s: expected a text in UTF-8, found other bytes".formatted(path), e);
    }
  }

  private void write(RecordedThread recorded) throws IOException {
    SessionRecord record = recorded.record();
    RecordTexts texts = noContent ? RecordTexts.none() : recorded.texts();
    recorded.ledger().forEach(entry -> terminal
        .err()
        .println("  %-9s  %s"
            .formatted(entry.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '), entry)));
    Path written;
    if (file != null) {
      sessions.requireOutput(file);
      Path parent = file.toAbsolutePath().getParent();
      if (parent != null && !Files.isDirectory(parent)) {
        throw new NoSuchFileException(
            file.toString(), null, "--output: there is no directory " + parent);
      }
      RecordFile target = RecordFile.at(file);
      if (overwrite) {
        target.replace(record, texts);
      } else {
        target.create(record, texts);
      }
      written = file;
    } else {
      written = RecordStore.create(Objects.requireNonNull(store)).add(record, texts);
    }
    long messages = record.trace().rounds().stream()
        .mapToLong(round -> round.messages().size())
        .sum();
    print("recorded %s: %s, %s, %s\n"
        .formatted(
            record.id(),
            PlainText.count(record.trace().rounds().size(), "round"),
            PlainText.count(messages, "message"),
            PlainText.count(record.inputs().agentRoster().size(), "agent")));
    print("  %s\n".formatted(written));
    var obstacles = record.replayObstacles();
    print(
        obstacles.isEmpty()
            ? "  can be replayed: replay session replay %s --mode verify\n".formatted(written)
            : "  cannot be replayed: %s\n".formatted(String.join("; ", obstacles)));
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
