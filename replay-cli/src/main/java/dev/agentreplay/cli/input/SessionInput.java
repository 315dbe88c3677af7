package dev.agentreplay.cli.input;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Finds the sessions named on the command line. */
public final class SessionInput {

  @Option(
      names = "--sessions",
      paramLabel = "DIR",
      defaultValue = "${env:REPLAY_HOME}",
      description = "Directory in which sessions are found by their session id or directory name"
          + " (default: $REPLAY_HOME).")
  private @Nullable Path home;

  /** The session at a path, or with an id. */
  public Session locate(String name) throws IOException {
    Path path = resolve(name);
    if (Files.isDirectory(path) && !Sessions.isSession(path)) {
      String below = SessionIndex.below(path).summary();
      if (below != null) {
        throw new NoSuchFileException(path.toString(), null, below);
      }
    }
    return Session.open(path);
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
    Path direct = home.resolve(path);
    // a directory of this name may hold other sessions, and a different session may have this id
    return Files.isRegularFile(direct) || name.contains("/")
        ? direct
        : SessionIndex.below(home).find(name, Files.isDirectory(direct) ? direct : null);
  }
}
