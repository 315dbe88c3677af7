package dev.agentreplay.convert.trace;

import dev.agentreplay.convert.pack.PackedSession;
import dev.agentreplay.convert.shown.ShownFileSystem;
import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.ImportedSession;
import dev.agentreplay.convert.trace.report.NothingRecognizedException;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.io.file.TemporaryDirectory;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.Sessions;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A trace of a different tool that is read as a session: it is imported into a temporary directory,
 * accessible only to its owner, which is deleted when the trace is closed, when opening fails, and
 * when the JVM ends before, also by a signal such as that of Ctrl+C.
 *
 * <pre>{@code
 * try (OpenTrace trace = OpenTrace.open(Path.of("rollout.jsonl"))) {
 *   SessionSummary summary = SessionSummary.read(trace.session());
 * }
 * }</pre>
 *
 * <p>The paths of the session name the trace as if it were a directory, as in
 * {@code rollout.jsonl/REPLAY.jsonl}, and cannot be written to; those of a
 * {@linkplain PackedSession#open packed session} have the same form. What can be verified of the
 * session is the copy. Safe for use by several threads.
 */
public final class OpenTrace implements Closeable {

  private static final int MAX_LISTED = 10;

  private final ImportReport report;
  private final OpenSession session;

  private OpenTrace(ImportReport report, OpenSession session) {
    this.report = report;
    this.session = session;
  }

  /**
   * Whether a path is a trace: a file or directory that {@link TraceImporter#detect} recognizes,
   * and not a session, packed or not. A pipe is not read, and what cannot be read is not one.
   */
  public static boolean isTrace(Path path) {
    return format(path) != null;
  }

  private static @Nullable TraceFormat format(Path path) {
    try {
      boolean canBe = Files.isDirectory(path)
          ? !Sessions.isSession(path)
          : Files.isRegularFile(path) && !PackedSession.isPacked(path);
      return canBe ? TraceImporter.detect(path) : null;
    } catch (IOException e) {
      return null; // opening it as a session reports the reason
    }
  }

  /**
   * Refuses a trace where a session is required that stays, as for a replay of it.
   *
   * @throws IOException if {@link #isTrace} holds; the message names the format
   */
  public static void requireNone(Path path) throws IOException {
    TraceFormat format = format(path);
    if (format != null) {
      throw new IOException("%s: %s must be imported first: replay import %s DIR"
          .formatted(path, format.title(), path));
    }
  }

  /** Opens a trace like {@link #open(Path, Runnable)}, with nothing to run before the JVM ends. */
  public static OpenTrace open(Path trace) throws IOException {
    return open(trace, () -> {});
  }

  /**
   * Opens a trace that has one session.
   *
   * @param beforeExit is run in an exit hook when the JVM ends, before the directory is deleted; it
   *     may wait for a thread that still reads the session
   * @throws NothingRecognizedException as {@link TraceImporter#importFile} does
   * @throws IOException if the trace cannot be imported, or has several sessions
   * @throws ClosedFileSystemException if the JVM ends meanwhile
   */
  public static OpenTrace open(Path trace, Runnable beforeExit) throws IOException {
    TemporaryDirectory directory = TemporaryDirectory.create(beforeExit);
    try {
      Path root = directory.path().resolve("session");
      ImportReport report = TraceImporter.of(ImportOptions.defaults()).importFile(trace, root);
      if (report.sessions().size() > 1) {
        throw new IOException(several(trace, report.sessions()));
      }
      ShownFileSystem shown = new ShownFileSystem(trace, root, directory);
      return new OpenTrace(report, OpenSession.of(Session.open(shown.root()), shown));
    } catch (Throwable e) {
      if (!directory.isOpen()) { // the JVM ends, and has deleted the files
        throw new ClosedFileSystemException();
      }
      try (directory) {
        throw e;
      }
    }
  }

  private static String several(Path trace, List<ImportedSession> sessions) {
    String listed = sessions.stream()
        .limit(MAX_LISTED)
        .map(ImportedSession::id)
        .collect(Collectors.joining(", "));
    return "%s: expected a trace of one session, found %d: %s%s; replay import %s DIR imports each"
        .formatted(
            trace, sessions.size(), listed, sessions.size() > MAX_LISTED ? ", ..." : "", trace);
  }

  /** The account of the import, whose directory does not exist any more after closing. */
  public ImportReport report() {
    return report;
  }

  /** The session, which can be read until the trace is closed. */
  public Session session() {
    return session.session();
  }

  /** Deletes the imported files. */
  @Override
  public void close() throws IOException {
    session.close();
  }
}
