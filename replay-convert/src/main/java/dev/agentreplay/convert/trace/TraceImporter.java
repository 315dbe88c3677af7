package dev.agentreplay.convert.trace;

import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.reading.TraceReader;
import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.ImportReport.Outcome;
import dev.agentreplay.convert.trace.report.ImportedSession;
import dev.agentreplay.convert.trace.report.NothingRecognizedException;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.io.file.FileTree;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Imports traces of other tools as sessions. A session appears as a whole or not at all: it is
 * written to a temporary directory next to its place. The same source gives the same bytes.
 * Immutable, safe for use by several threads.
 */
public final class TraceImporter {

  private final ImportOptions options;

  private TraceImporter(ImportOptions options) {
    this.options = Objects.requireNonNull(options, "options");
  }

  /** Creates an importer. */
  public static TraceImporter of(ImportOptions options) {
    return new TraceImporter(options);
  }

  /**
   * Returns the format of a file, or of a directory that is one trace as a whole; null if it is not
   * known.
   *
   * @throws IOException if it cannot be read
   */
  public static @Nullable TraceFormat detect(Path source) throws IOException {
    TraceReader reader = TraceReaders.find(source);
    return reader == null ? null : reader.format();
  }

  /**
   * Imports one trace.
   *
   * @param source a file, or a directory that is one trace as a whole
   * @param out the directory of the session; if the source has several, each gets a directory in it
   * @throws NothingRecognizedException if the format is not known, or no turn of an agent is found
   * @throws FileAlreadyExistsException if {@code out} exists and is not an empty directory, unless
   *     it is an earlier import that may be replaced
   * @throws IOException if the source cannot be read, or a session cannot be written; nothing is
   *     written then
   */
  public ImportReport importFile(Path source, Path out) throws IOException {
    TraceReader reader = reader(source);
    TraceSource opened = open(reader, source);
    boolean replaces = requireFree(out);
    return write(reader, opened, out, replaces);
  }

  /**
   * Imports all traces below a directory, each to a directory with its relative name. An earlier
   * import of the same bytes is left as it is. A file that cannot be imported does not prevent the
   * others.
   *
   * @param source a directory; links in it are not followed
   * @param out the directory of the sessions, which may exist
   * @param reports receives the report of each trace; other files have none
   * @throws IOException if the directory cannot be read
   */
  public void importAll(Path source, Path out, Consumer<ImportReport> reports) throws IOException {
    for (Path found : traces(source)) {
      reports.accept(importOne(found, out.resolve(relativeName(source, found))));
    }
  }

  private ImportReport importOne(Path found, Path out) {
    TraceFormat format = null;
    try {
      TraceReader reader = reader(found);
      format = reader.format();
      TraceSource opened = open(reader, found);
      JsonObject earlier = earlierOrigin(out);
      if (earlier != null && earlier.equals(opened.origin())) {
        return outcome(found, format, out, Outcome.UNCHANGED, null);
      } else if (earlier != null && !options.overwrite()) {
        return outcome(found, format, out, Outcome.CHANGED, null);
      }
      boolean replaces = requireFree(out);
      Files.createDirectories(Objects.requireNonNull(out.toAbsolutePath().getParent()));
      return write(reader, opened, out, replaces);
    } catch (IOException e) {
      return outcome(found, format, out, Outcome.FAILED, message(e));
    }
  }

  private static String message(IOException e) {
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }

  private static ImportReport outcome(
      Path source,
      @Nullable TraceFormat format,
      Path out,
      Outcome outcome,
      @Nullable String message) {
    return new ImportReport(source, format, out, outcome, message, List.of(), List.of());
  }

  /** The files and directories below a directory that are traces of their own. */
  private List<Path> traces(Path directory) throws IOException {
    List<Path> found = new ArrayList<>();
    collect(directory, found);
    return found;
  }

  private void collect(Path directory, List<Path> found) throws IOException {
    List<Path> entries;
    try (Stream<Path> listed = Files.list(directory)) {
      entries = listed.sorted().toList();
    }
    for (Path entry : entries) {
      if (Files.isSymbolicLink(entry)) {
        continue;
      } else if (Files.isDirectory(entry)) {
        if (isTrace(entry)) {
          found.add(entry);
        } else {
          collect(entry, found);
        }
      } else if (Files.isRegularFile(entry) && isTrace(entry)) {
        found.add(entry);
      }
    }
  }

  private boolean isTrace(Path path) throws IOException {
    TraceReader reader = TraceReaders.find(path);
    return reader != null
        && (options.from() == null || options.from() == reader.format())
        && !reader.isPart(path);
  }

  private static Path relativeName(Path directory, Path found) {
    Path relative = directory.relativize(found);
    String name = String.valueOf(relative.getFileName());
    int dot = name.indexOf('.', 1);
    return dot < 0 ? relative : relative.resolveSibling(name.substring(0, dot));
  }

  private TraceReader reader(Path source) throws IOException {
    if (!Files.exists(source)) {
      throw new NoSuchFileException(source.toString());
    }
    TraceReader reader =
        options.from() == null ? TraceReaders.find(source) : TraceReaders.of(options.from());
    if (reader == null) {
      throw new NothingRecognizedException(
          source + ": it does not begin like a trace of a format that can be imported");
    }
    return reader;
  }

  private static TraceSource open(TraceReader reader, Path source) throws IOException {
    TraceSource opened = new TraceSource(reader.format(), source);
    reader.attach(opened);
    return opened;
  }

  private static ImportReport write(
      TraceReader reader, TraceSource source, Path out, boolean replaces) throws IOException {
    Path temporary = WholeFile.temporaryBeside(out);
    Path old = replaces ? WholeFile.temporaryBeside(out) : null;
    try {
      List<ImportedSession> sessions;
      List<SourceFault> faults;
      try (ImportRun run = new ImportRun(source, temporary)) {
        reader.read(source, run);
        sessions = run.complete();
        faults = run.faults();
      }
      if (old != null) {
        Files.move(out, old);
      } else {
        Files.deleteIfExists(out); // an empty directory
      }
      if (sessions.size() == 1) {
        Files.move(temporary.resolve(Objects.requireNonNull(sessions.get(0).name())), out);
        sessions = List.of(sessions.get(0).withName(null));
      } else {
        Files.move(temporary, out);
      }
      LocalDisk.INSTANCE.forceParent(out);
      return new ImportReport(
          source.path(), source.format(), out, Outcome.IMPORTED, null, sessions, faults);
    } catch (IOException | RuntimeException e) {
      if (old != null && Files.exists(old) && !Files.exists(out)) {
        Files.move(old, out);
      }
      throw e;
    } finally {
      FileTree.delete(temporary);
      if (old != null) {
        FileTree.delete(old);
      }
    }
  }

  /**
   * Returns whether an earlier import is there that may be replaced.
   *
   * @throws FileAlreadyExistsException if anything else is there but an empty directory
   */
  private boolean requireFree(Path out) throws IOException {
    if (!Files.exists(out, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    if (Files.isDirectory(out, LinkOption.NOFOLLOW_LINKS) && FileTree.isNewOrEmpty(out)) {
      return false;
    }
    boolean isImport = isImport(out);
    if (isImport && options.overwrite()) {
      return true;
    }
    throw new FileAlreadyExistsException(
        out.toString(),
        null,
        isImport ? "it holds an earlier import" : "it is not empty, and no import");
  }

  /** Whether a directory holds nothing but the sessions of an import. */
  private static boolean isImport(Path out) throws IOException {
    if (!Files.isDirectory(out, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    if (Files.exists(out.resolve(ImportedSession.FILE_NAME))) {
      return true;
    }
    try (Stream<Path> entries = Files.list(out)) {
      return entries.allMatch(entry -> Files.exists(entry.resolve(ImportedSession.FILE_NAME))
          && Files.exists(entry.resolve(Session.LOG_NAME)));
    }
  }

  /** The origin that an earlier import in a directory states; null if there is none. */
  private static @Nullable JsonObject earlierOrigin(Path out) throws IOException {
    Path file = out.resolve(ImportedSession.FILE_NAME);
    if (!Files.exists(file) && Files.isDirectory(out)) {
      try (Stream<Path> entries = Files.list(out)) {
        file = entries
            .map(entry -> entry.resolve(ImportedSession.FILE_NAME))
            .filter(Files::exists)
            .sorted()
            .findFirst()
            .orElse(file);
      }
    }
    if (!Files.exists(file)) {
      return null;
    }
    try {
      JsonValue account = JsonText.parse(Files.readAllBytes(file));
      return account instanceof JsonObject object
              && object.get(Names.IMPORTED_FROM) instanceof JsonObject origin
          ? origin
          : JsonObject.EMPTY;
    } catch (JsonSyntaxException e) {
      return JsonObject.EMPTY;
    }
  }
}
