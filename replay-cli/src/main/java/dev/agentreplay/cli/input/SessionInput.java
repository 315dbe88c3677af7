package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.TraceNote;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.convert.pack.PackedSession;
import dev.agentreplay.convert.pack.UnpackLimits;
import dev.agentreplay.convert.trace.OpenTrace;
import dev.agentreplay.io.log.LogSegments;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.Sessions;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Finds the sessions named on the command line. */
public final class SessionInput {

  /** The environment variable with the default of {@code --sessions}. */
  public static final String HOME = "REPLAY_HOME";

  /** The files next to a log that are often named instead of it. */
  private static final Set<String> NOT_LOGS = Set.of(
      Session.RECEIPT_NAME,
      Session.ENVELOPE_NAME,
      Session.PUBLIC_CHECKPOINT_NAME,
      Session.SUMMARY_NAME,
      Session.ACCEPTED_NAME,
      Session.IMPORT_NAME);

  @Option(
      names = "--sessions",
      paramLabel = "DIR",
      defaultValue = "${env:" + HOME + "}",
      description = "Directory in which sessions are found by their session id or directory name"
          + " (default: $REPLAY_HOME).")
  private @Nullable Path home;

  private final Terminal terminal;

  /** The logs, packed files and other files that the command reads. */
  private final List<Path> inputs = new ArrayList<>();

  /** Creates the options; warnings go to the terminal. */
  public SessionInput(Terminal terminal) {
    this.terminal = terminal;
  }

  /** The given names; without any, the directory of sessions, or the current one. */
  public List<String> orAll(List<String> names) {
    return names.isEmpty() ? List.of(home == null ? "." : home.toString()) : names;
  }

  /** Opens the session at a path, packed or not, or with an id. */
  public OpenSession open(String name) throws IOException {
    return open(name, () -> {});
  }

  /**
   * Opens the session at a path, packed or not, or with an id.
   *
   * @param beforeExit is run when the JVM ends, before the files of a packed session are deleted
   */
  public OpenSession open(String name, Runnable beforeExit) throws IOException {
    Path path = resolve(name);
    if (PackedSession.isPacked(path)) {
      inputs.add(path);
      return PackedSession.open(path, UnpackLimits.defaults(), beforeExit);
    }
    Session session = open(path);
    inputs.add(session.log());
    return OpenSession.of(session);
  }

  /**
   * Opens a session as {@link #open(String, Runnable)} does, to replay it; refuses a trace of a
   * different tool, which must be imported first.
   */
  public OpenSession openForReplay(String name, Runnable beforeExit) throws IOException {
    OpenTrace.requireNone(resolve(name));
    return open(name, beforeExit);
  }

  /**
   * Opens the session at a path, packed or not, or with an id; or a trace of a different tool,
   * which is imported for as long as it is open.
   */
  OpenSession openOrImport(String name) throws IOException {
    Path path = resolve(name);
    if (!OpenTrace.isTrace(path)) {
      return open(name);
    }
    inputs.add(path);
    return openTrace(path);
  }

  /** Imports a trace for as long as it is open, and says so. */
  OpenSession openTrace(Path path) throws IOException {
    OpenTrace trace = OpenTrace.open(path);
    TraceNote.of(trace.report()).forEach(terminal.err()::println);
    return OpenSession.of(trace.session(), trace);
  }

  /** Adds a file that the command reads, if it exists, so that its output does not replace it. */
  public void addInput(@Nullable Path file) {
    if (file != null && Files.exists(file)) {
      inputs.add(file);
    }
  }

  /** Refuses to replace a directory with a file that the command reads. */
  public void requireOutside(Path directory) throws IOException {
    Path replaced = directory.toRealPath();
    for (Path input : inputs) {
      if (input.toRealPath().startsWith(replaced)) {
        throw new FileAlreadyExistsException(
            directory.toString(), null, "it has an input of this command; name a different one");
      }
    }
  }

  /** Refuses to write to a directory, or to a file that the command reads. */
  public void requireOutput(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new FileAlreadyExistsException(
          file.toString(), null, "it is a directory; expected the name of a file");
    }
    for (Path input : inputs) {
      if (LogSegments.isSegment(input, file)) {
        throw new FileAlreadyExistsException(
            file.toString(), null, "it is an input of this command; name a different file");
      }
    }
  }

  /** Refuses a session that can be read only once, as from a pipe. */
  public static Session requireRegularFile(Session session) throws IOException {
    if (!Files.isRegularFile(session.log())) {
      throw new IOException(
          session.log() + ": expected a regular file, because it is read more than once");
    }
    return session;
  }

  /** The session at a path, or with an id, for a command that writes to its directory. */
  public Session locateForWriting(String name) throws IOException {
    Path path = resolve(name);
    if (PackedSession.isPacked(path)) {
      throw new UsageException(
          "%s is a packed session, which is only read; unpack it first: replay unpack %s DIR"
              .formatted(path, path));
    }
    return open(path);
  }

  private Session open(Path path) throws IOException {
    if (Files.isDirectory(path) && !Sessions.isSession(path)) {
      String below = SessionIndex.below(path).summary();
      if (below != null) {
        throw new NoSuchFileException(path.toString(), null, below);
      }
    }
    NoSuchFileException refused = refusal(path);
    if (refused != null) {
      throw refused;
    }
    return Session.open(path);
  }

  /** The failure for a path that cannot be a session, with what to name instead; null otherwise. */
  @Nullable
  NoSuchFileException refusal(Path path) {
    Path name = path.getFileName();
    if (!Files.exists(path)) {
      return home == null && path.equals(name)
          ? new NoSuchFileException(
              path.toString(),
              null,
              "no such file or directory; --sessions DIR finds a session by its id or name")
          : null;
    }
    Path directory = Objects.requireNonNullElse(path.getParent(), Path.of("."));
    return name != null && NOT_LOGS.contains(name.toString()) && Sessions.isSession(directory)
        ? new NoSuchFileException(
            path.toString(), null, "not a log; name the session directory: " + directory)
        : null;
  }

  /**
   * The path that a name means: itself, or that of the session below the home whose directory has
   * this name, or whose log has this session id.
   *
   * @throws NoSuchFileException if there is neither, or there are several sessions with this id
   */
  Path resolve(String name) throws NoSuchFileException {
    Path path = PathConverter.parse(name);
    if (home == null || Files.exists(path)) {
      return path;
    }
    if (!Files.isDirectory(home)) {
      throw new NoSuchFileException(
          name,
          null,
          "no such file or directory; --sessions (default: $REPLAY_HOME) is not a directory: "
              + home);
    }
    return Sessions.find(home, name);
  }
}
