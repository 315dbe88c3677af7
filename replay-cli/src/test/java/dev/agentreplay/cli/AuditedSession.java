package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A recorded session and a key, for tests of the commands that sign, state and prove. */
abstract class AuditedSession {

  @TempDir
  Path home;

  Path session;
  Path key;
  String keyId;

  @BeforeEach
  void record() throws IOException {
    session = record("one");
    key = home.resolve("key");
    Console keygen = Console.run("keygen", key.toString());
    assertThat(keygen.exit()).as(keygen.err()).isZero();
    keyId = keygen.out().strip();
  }

  final Path record(String id) throws IOException {
    Path directory = home.resolve(id);
    try (SessionRecorder recorder = SessionRecorder.start(directory, id)) {
      recorder.call("file_read", JsonObject.of("path", id)).result("fn main() {}");
      recorder.call("file_read", JsonObject.of("path", id)).result("fn main() {}");
      recorder.end(Status.SUCCESS, 0.9);
    }
    return directory;
  }

  /** A log that is the beginning of the session's. */
  final Path beginning(String name, int lines) throws IOException {
    Path directory = Files.createDirectories(home.resolve(name));
    String log = Files.readString(session.resolve("REPLAY.jsonl"));
    Files.writeString(
        directory.resolve("REPLAY.jsonl"),
        String.join("\n", log.lines().limit(lines).toList()) + "\n");
    return directory;
  }

  /** Runs a command that writes a file in the home directory, and returns the file. */
  final Path run(String out, Object... words) {
    Path file = home.resolve(out);
    Object[] all = Arrays.copyOf(words, words.length + 2);
    all[words.length] = "--out";
    all[words.length + 1] = file;
    Console console = console(all);
    assertThat(console.exit()).as(console.err()).isZero();
    return file;
  }

  static Console console(Object... words) {
    return Console.run(Arrays.stream(words).map(Object::toString).toArray(String[]::new));
  }

  final Path pub() {
    return home.resolve("key.pub");
  }
}
