package dev.agentreplay.cli;

import dev.agentreplay.io.ReplayLine;
import dev.agentreplay.io.ReplayReader;
import dev.agentreplay.io.Session;
import dev.agentreplay.model.ReplayHeader;
import java.io.IOException;
import java.nio.file.Files;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Finds the sessions that a command line names, whose logs must be of a version that is read. */
final class ReadableSessions {

  @Mixin
  private SessionInput input = new SessionInput();

  @Option(names = "--force", description = "Read a log of a version that is not supported.")
  private boolean force;

  /** The session at a path, or with an id; {@link #check} its lines as they are read. */
  Session locate(String name) throws IOException {
    return input.locate(name);
  }

  /** The session at a path, or with an id, for a command that reads it more than once. */
  Session locateForRereading(String name) throws IOException {
    Session session = input.locate(name);
    if (!Files.isRegularFile(session.log())) {
      throw new IOException(session.log() + ": not a regular file, and it is read more than once");
    }
    try (ReplayReader reader = session.reader()) {
      ReplayLine first = reader.read();
      if (first != null) {
        check(session, first);
      }
    }
    return session;
  }

  /** Refuses a log whose header is of a version that is not supported. */
  void check(Session session, ReplayLine line) throws IOException {
    if (!force
        && line.event() instanceof ReplayHeader header
        && !header.version().equals(ReplayHeader.VERSION)) {
      throw new IOException("%s: %s, and only version %s is supported; --force reads it anyway"
          .formatted(
              session.log(),
              header.version().isEmpty()
                  ? "the header states no version that can be read"
                  : "the log is of version " + Style.fit(header.version(), 40),
              ReplayHeader.VERSION));
    }
  }
}
