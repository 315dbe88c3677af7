package dev.agentreplay.cli;

import dev.agentreplay.cli.input.InvalidInputException;
import dev.agentreplay.cli.input.PathConverter;
import dev.agentreplay.cli.input.ReadableSessions;
import dev.agentreplay.cli.input.RecordingOptions;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.recording.InvalidExportException;
import dev.agentreplay.records.recording.MessageExport;
import dev.agentreplay.records.recording.RecordedThread;
import dev.agentreplay.records.recording.SessionRecording;
import dev.agentreplay.records.store.RecordFile;
import dev.agentreplay.records.store.RecordStore;
import dev.agentreplay.records.store.RecordTexts;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay session record}. */
@Command(
    name = "record",
    header = "Make a session record from an export of messages, or from a recorded session.",
    description = {
      "An export is a JSON array, or JSON lines, of messages with ts, from, type (or a subject that begins",
      "with it, such as \"DELTA: ...\") and body_md, and optionally id, subject, acknowledged and",
      "thread_id. Prints what the record states that the source does not, and what the record leaves out."
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
  ReadableSessions sessions = new ReadableSessions(terminal);

  @Mixin
  RecordingOptions options = new RecordingOptions();

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

  @Option(names = "--no-content", description = "Write no texts, only their hashes.")
  boolean noContent;

  @Option(names = "--overwrite", description = "Replace FILE if it exists.")
  boolean overwrite;

  SessionRecordCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    check();
    RecordedThread recorded;
    MessageExport export = export();
    if (export != null) {
      SessionRecording recording = SessionRecording.of(export);
      String stem = stem(Path.of(name));
      if (export.threadId() == null && !options.isSessionStated()) {
        complain("session_id: the name of the file, %s".formatted(stem));
        recording.sessionId(stem);
      }
      String thread = Objects.requireNonNullElse(export.threadId(), stem);
      recorded = options.record(recording, name, thread);
    } else {
      try (OpenSession open = sessions.openForRereading(name)) {
        requireOutput();
        recorded = options.record(SessionRecording.of(open.session()), name, stem(Path.of(name)));
      }
    }
    write(recorded);
    return ExitCode.OK;
  }

  /** Refuses options that do not go together, and places that cannot be written. */
  private void check() throws IOException {
    if ((file == null) == (store == null)) {
      throw new UsageException("expected either --output FILE or --store DIR");
    }
    if (overwrite && file == null) {
      throw new UsageException("--overwrite requires --output");
    }
    options.check();
    sessions.addInput(PathConverter.parse(name));
    options.files().forEach(sessions::addInput);
    requireOutput();
    if (store != null && Files.exists(store) && !Files.isDirectory(store)) {
      throw new NotDirectoryException(store.toString());
    }
  }

  private void requireOutput() throws IOException {
    if (file == null) {
      return;
    }
    sessions.requireOutput(file);
    if (Files.exists(file) && !overwrite) {
      throw new FileAlreadyExistsException(file.toString());
    }
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null && !Files.isDirectory(parent)) {
      throw new NoSuchFileException(
          file.toString(), null, "--output: there is no directory " + parent);
    }
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
    try (InputStream in = RegularFiles.open(path)) {
      return MessageExport.read(in);
    } catch (InvalidExportException e) {
      throw InvalidInputException.of(path, e);
    }
  }

  private static String stem(Path path) {
    String file = String.valueOf(path.getFileName());
    int dot = file.indexOf('.');
    return dot > 0 ? file.substring(0, dot) : file;
  }

  private void write(RecordedThread recorded) throws IOException {
    SessionRecord record = recorded.record();
    RecordTexts texts = noContent ? RecordTexts.none() : recorded.texts();
    recorded.ledger().forEach(entry -> terminal
        .err()
        .println("  %-9s  %s"
            .formatted(
                entry.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                Style.plain("" + entry))));
    Path written;
    if (file != null) {
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
    String place = Style.plain(written.toString());
    print("  %s\n".formatted(place));
    var obstacles = record.replayObstacles();
    print(
        obstacles.isEmpty()
            ? "  can be replayed: replay session replay %s --mode verify --agents CMD\n"
                .formatted(place)
            : "  cannot be replayed: %s\n".formatted(Style.plain(String.join("; ", obstacles))));
  }
}
