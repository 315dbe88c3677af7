package dev.agentreplay.records;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.testkit.TestSessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Recorded sessions, at least 20, from which tests make records. */
public final class RecordedSessions {

  private RecordedSessions() {}

  /** The recorded sessions in the resources of other modules, by name. */
  public static Map<String, Path> all() {
    Map<String, Path> sessions = new TreeMap<>();
    Stream.of(
            TestSessions.bundledWith("replay-canonical", "sessions"),
            TestSessions.bundledWith("replay-engine", "sessions"),
            TestSessions.bundledWith("replay-io", "sessions"),
            TestSessions.bundledWith("replay-verify", "sessions"),
            TestSessions.bundledWith("replay-verify", "origin"),
            TestSessions.bundledWith("replay-verify", "origin/runtime-tools"),
            TestSessions.bundledWith("replay-verify", "origin/runtime-event"),
            Path.of("..", "examples", "langchain4j-agent", "src", "test", "resources"))
        .flatMap(root -> TestSessions.directories(root).stream())
        .filter(directory -> Files.exists(directory.resolve(Session.LOG_NAME)))
        .forEach(session -> sessions.put(session.getFileName().toString(), session));
    return sessions;
  }
}
