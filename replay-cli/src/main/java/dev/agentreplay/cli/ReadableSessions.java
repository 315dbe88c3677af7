package dev.agentreplay.cli;

import dev.agentreplay.io.ReplayLine;
import dev.agentreplay.io.ReplayReader;
import dev.agentreplay.io.Session;
import dev.agentreplay.model.ReplayHeader;
import java.io.IOException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Finds the sessions that a command line names, if their logs are of a version that is read. */
final class ReadableSessions {

  @Mixin
  private SessionInput input = new SessionInput();

  @Option(names = "--force", description = "Read a log of a version that is not supported.")
  private boolean force;

  /** The session at a path, or with an id. */
  Session locate(String name) throws IOException {
    Session session = input.locate(name);
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
