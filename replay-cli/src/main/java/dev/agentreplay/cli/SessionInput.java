package dev.agentreplay.cli;

import dev.agentreplay.io.ReplayLine;
import dev.agentreplay.io.ReplayReader;
import dev.agentreplay.io.Session;
import dev.agentreplay.model.ReplayHeader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Finds the sessions that a command line names. */
final class SessionInput {

  @Option(
      names = "--sessions",
      paramLabel = "DIR",
      defaultValue = "${env:REPLAY_HOME}",
      description = "Where sessions are found by their id; $REPLAY_HOME by default.")
  @Nullable
  Path home;

  /** The session at a path, or with an id. */
  Session locate(String name) throws IOException {
    Path path;
    try {
      path = Path.of(name);
    } catch (InvalidPathException e) {
      throw new NoSuchFileException(name, null, "not a path: " + e.getReason());
    }
    if (!Files.exists(path) && home != null && Files.exists(home.resolve(name))) {
      return Session.open(home.resolve(name));
    }
    return Session.open(path);
  }

  /**
   * The session, if its log is of a version that this command reads, or it is to be read anyway.
   */
  Session locateSupported(String name, boolean force) throws IOException {
    Session session = locate(name);
    if (!force) {
      requireSupported(session);
    }
    return session;
  }

  private static void requireSupported(Session session) throws IOException {
    try (ReplayReader reader = session.reader()) {
      ReplayLine first = reader.read();
      if (first != null
          && first.event() instanceof ReplayHeader header
          && !header.version().equals(ReplayHeader.VERSION)) {
        throw new IOException(
            "%s: version \"%s\" of the format is not supported, only version %s; --force reads it anyway"
                .formatted(session.log(), header.version(), ReplayHeader.VERSION));
      }
    }
  }
}
