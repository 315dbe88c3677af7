package dev.agentreplay.convert.trace;

import dev.agentreplay.convert.trace.TraceSearch.Found;
import dev.agentreplay.convert.trace.reading.SourceFiles;
import dev.agentreplay.convert.trace.reading.TraceReader;
import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.ImportReport.Outcome;
import dev.agentreplay.convert.trace.report.ImportedSession;
import dev.agentreplay.convert.trace.report.NothingRecognizedException;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.io.file.FileMessages;
import dev.agentreplay.io.file.FileTree;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Imports traces of other tools as sessions. A session appears as a whole or not at all: it is
 * written to a temporary directory next to its place, and renamed. A process that is killed leaves
 * the temporary directory, {@code .replay.<16 hexadecimal digits>.tmp}; if it is killed just while
 * it replaces an earlier import, that has such a name, too. The same source gives the same bytes.
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
   * known, or if it is a special file, such as a pipe, which is not read.
   *
   * @throws IOException if it cannot be read
   */
  public static @Nullable TraceFormat detect(Path source) throws IOException {
    TraceReader reader = TraceReaders.find(source);
    return reader == null ? null : reader.format();
  }

  /** The formats that can be imported. */
  public static List<TraceFormat> formats() {
    return TraceReaders.formats();
  }

  /**
   * Imports one trace.
   *
   * @param source a file, or a directory that is one trace as a whole; it may be a link, but links
   *     in it or next to it are not followed
   * @param out the directory of the session; if the source has several, each gets a directory in it
   * @throws NothingRecognizedException if the format is not known or cannot be imported, or no turn
   *     of an agent is found
   * @throws FileAlreadyExistsException if {@code out} exists and is not an empty directory, unless
   *     it is an earlier import that may be replaced: one without files that are not of a session
   * @throws IOException if the source cannot be read, or a session cannot be written; nothing is
   *     written then, and an earlier import is as it was
   */
  public ImportReport importFile(Path source, Path out) throws IOException {
    TraceReader reader = reader(source);
    return write(reader, open(reader, source), out);
  }

  /**
   * Imports all traces below a directory, each to a directory with its relative name, without the
   * end that names its type unless a different trace has that name. An earlier import of the same
   * bytes is left as it is. A file that cannot be imported does not prevent the others.
   *
   * @param source a directory; links in it are not followed
   * @param out the directory of the sessions, which may exist
   * @param reports receives the report of each trace, and of each path that cannot be read; other
   *     files have none
   * @throws NothingRecognizedException if there is no trace
   * @throws FileAlreadyExistsException if {@code out} is the directory of one imported session
   * @throws IOException if the directory cannot be read
   */
  public void importAll(Path source, Path out, Consumer<ImportReport> reports) throws IOException {
    requireOutside(out, out);
    List<Found> found = TraceSearch.find(source, options.from(), out);
    if (found.isEmpty()) {
      throw new NothingRecognizedException(
          source + ": no trace of a format that can be imported is in it or below it");
    }
    SessionPlaces places =
        new SessionPlaces(source, found.stream().map(Found::path).toList(), out);
    for (Found each : found) {
      Path place = places.of(each.path());
      reports.accept(
          each.failure() == null
              ? importOne(each.path(), place, out)
              : outcome(each.path(), null, place, Outcome.FAILED, each.failure()));
    }
  }

  private ImportReport importOne(Path found, Path place, Path out) {
    TraceFormat format = null;
    try {
      TraceReader reader = reader(found);
      format = reader.format();
      requireOutside(Objects.requireNonNullElse(place.getParent(), out), out);
      TraceSource opened = open(reader, found);
      EarlierImport earlier = EarlierImport.find(place);
      if (earlier != null) {
        boolean isSame = earlier.origin().equals(opened.origin()) && earlier.isIntact();
        if (isSame || !options.overwrite()) {
          return outcome(found, format, place, isSame ? Outcome.UNCHANGED : Outcome.CHANGED, null);
        }
      }
      return write(reader, opened, place);
    } catch (IOException | RuntimeException | StackOverflowError | OutOfMemoryError e) {
      return outcome(found, format, place, Outcome.FAILED, message(e));
    }
  }

  /**
   * Checks that a directory is not in that of an imported session.
   *
   * @param top the directory above which is not checked
   */
  private static void requireOutside(Path directory, Path top) throws FileAlreadyExistsException {
    Path last = top.toAbsolutePath();
    Path at = directory.toAbsolutePath();
    for (; at != null && at.startsWith(last); at = at.getParent()) {
      if (EarlierImport.isSession(at)) {
        throw new FileAlreadyExistsException(
            at.toString(), null, "it holds an imported session, in which no other can be");
      }
    }
  }

  /**
   * The message of a failure. That of an exception that no source should cause is not stated,
   * because it may quote the source, but the place where it was thrown.
   */
  static String message(Throwable failure) {
    if (failure instanceof IOException) {
      return PlainText.of(FileMessages.of(failure));
    }
    if (failure instanceof OutOfMemoryError) {
      return "not enough memory";
    }
    StackTraceElement[] trace = failure.getStackTrace();
    return "internal error: " + failure.getClass().getName()
        + (trace.length == 0 ? "" : " at " + trace[0]);
  }

  private static ImportReport outcome(
      Path source,
      @Nullable TraceFormat format,
      Path out,
      Outcome outcome,
      @Nullable String message) {
    return new ImportReport(source, format, out, outcome, message, List.of(), List.of());
  }

  private TraceReader reader(Path source) throws IOException {
    if (!Files.exists(source)) {
      throw new NoSuchFileException(source.toString());
    }
    TraceFormat from = options.from();
    if (from == null) {
      TraceReader reader = TraceReaders.find(source);
      if (reader == null) {
        throw new NothingRecognizedException(
            source + ": it does not begin like a trace of a format that can be imported");
      }
      return reader;
    }
    TraceReader reader = TraceReaders.of(from);
    if (reader == null) {
      throw new NothingRecognizedException(
          "%s: %s cannot be imported".formatted(source, from.title()));
    } else if (Files.isDirectory(source) && !reader.recognizesDirectory(source)) {
      throw new NothingRecognizedException(
          "%s: a directory that is not %s as a whole".formatted(source, from.title()));
    }
    return reader;
  }

  private static TraceSource open(TraceReader reader, Path source) throws IOException {
    TraceSource opened = new TraceSource(reader.format(), source);
    reader.attach(opened);
    return opened;
  }

  private ImportReport write(TraceReader reader, TraceSource source, Path out) throws IOException {
    boolean replaces = requireFree(source.path(), out);
    try (WholeDirectory whole = new WholeDirectory(out)) {
      List<ImportedSession> sessions;
      ImportRun run = new ImportRun(source, whole.temporary());
      try (run) {
        reader.read(source, run);
        sessions = run.complete();
      }
      Path content = whole.temporary();
      if (sessions.size() == 1) {
        content = content.resolve(Objects.requireNonNull(sessions.get(0).name()));
        sessions = List.of(sessions.get(0).withName(null));
      }
      if (replaces) {
        whole.replace(content, old -> requireReplaceable(old, out));
      } else {
        whole.create(content);
      }
      return new ImportReport(
          source.path(),
          source.format(),
          out,
          Outcome.IMPORTED,
          null,
          sessions,
          run.faults(),
          run.faultCount());
    }
  }

  /**
   * Returns whether an earlier import is there that may be replaced.
   *
   * @throws FileAlreadyExistsException if anything else is there but an empty directory
   */
  private boolean requireFree(Path source, Path out) throws IOException {
    if (!Files.exists(out, LinkOption.NOFOLLOW_LINKS)
        || (SourceFiles.isDirectory(out) && FileTree.isNewOrEmpty(out))) {
      return false;
    }
    requireReplaceable(out, out);
    if (!options.overwrite()) {
      throw new FileAlreadyExistsException(
          out.toString(), null, "it holds an earlier import, which --overwrite replaces");
    } else if (source.toRealPath().startsWith(out.toRealPath())) {
      throw new FileAlreadyExistsException(out.toString(), null, "the source is in it");
    }
    return true;
  }

  /**
   * Checks that a directory holds an earlier import and nothing else.
   *
   * @param out the name of the directory in the message
   */
  private static void requireReplaceable(Path directory, Path out) throws IOException {
    EarlierImport earlier = EarlierImport.find(directory);
    if (earlier == null) {
      throw new FileAlreadyExistsException(
          out.toString(), null, "it is not an empty directory, and no import");
    }
    Path foreign = earlier.foreign();
    if (foreign != null) {
      throw new FileAlreadyExistsException(
          out.toString(),
          null,
          "it holds an import and other files, such as " + directory.relativize(foreign));
    }
  }
}
