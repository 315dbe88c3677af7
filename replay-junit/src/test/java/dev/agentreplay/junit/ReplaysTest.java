package dev.agentreplay.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories of sessions, verified in one line. */
class ReplaysTest {

  @TempDir
  private Path directory;

  private AbstractThrowableAssert<?, ?> failure(Path path) {
    return assertThatThrownBy(() -> Replays.verify(path)).isInstanceOf(AssertionError.class);
  }

  private Session tear(Session session) throws IOException {
    Files.writeString(session.log(), "{", StandardOpenOption.APPEND);
    return session;
  }

  @Test
  void sound_sessions_pass() throws IOException {
    Session one = Recordings.agent(directory.resolve("one"));
    Recordings.agent(directory.resolve("more/two"));
    Replays.verify(directory);
    Replays.verify(directory.resolve("one"));
    Replays.verify(one.log());
  }

  @Test
  void received_session_is_verified_only_if_it_is_named() throws IOException {
    Recordings.agent(directory.resolve("a"));
    tear(Recordings.agent(directory.resolve("a.received")));
    tear(Recordings.agent(directory.resolve("b.received/c")));
    Replays.verify(directory);
    failure(directory.resolve("a.received")).hasMessageContaining("TORN_TAIL");
    failure(directory.resolve("b.received")).hasMessageContaining("TORN_TAIL");
  }

  @Test
  void one_of_several_fails_them_all() throws IOException {
    Recordings.agent(directory.resolve("a"));
    Session torn = tear(Recordings.agent(directory.resolve("b/c")));
    failure(directory)
        .message()
        .startsWith(
            """
            1 of 2 sessions do not verify
            unreadable  %s
              unreadable  TORN_TAIL  line 10, byte"""
                .formatted(torn.log()));
    failure(torn.log())
        .hasMessageStartingWith(
            "unreadable  " + torn.log() + "\n  unreadable  TORN_TAIL  line 10, byte ");
  }

  @Test
  void receipt_without_log_is_not_passed_over() throws IOException {
    Session session = Recordings.agent(directory.resolve("a"));
    Recordings.agent(directory.resolve("b"));
    Files.delete(session.log());
    failure(directory)
        .hasMessage(
            """
        1 of 2 sessions do not verify
        the session cannot be read: %s: directory holds no REPLAY.jsonl; \
        expected a session directory or a log"""
                .formatted(directory.resolve("a")));
  }

  @Test
  void many_failures_are_counted() throws IOException {
    for (int i = 0; i < 25; i++) {
      tear(Recordings.agent(directory.resolve("s" + i)));
    }
    failure(directory)
        .message()
        .startsWith("25 of 25 sessions do not verify\n")
        .endsWith("\nand 5 more");
  }

  @Test
  void directory_without_sessions_fails() throws IOException {
    Files.createDirectories(directory.resolve("empty/also"));
    failure(directory).hasMessage(directory + ": no session in this directory");
  }

  @Test
  void missing_path_fails() {
    Path none = directory.resolve("none");
    failure(none).hasMessage("the session cannot be read: " + none + ": no such file or directory");
    assertThat(none).doesNotExist();
  }
}
