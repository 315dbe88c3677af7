package dev.agentreplay.cli;

import dev.agentreplay.io.Session;
import java.io.IOException;
import java.nio.file.Files;
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
    return Session.open(resolve(name));
  }

  /** The path that a name means: itself, or that of a session with this id. */
  Path resolve(String name) throws NoSuchFileException {
    Path path = PathConverter.parse(name);
    return !Files.exists(path) && home != null && Files.exists(home.resolve(name))
        ? home.resolve(name)
        : path;
  }
}
