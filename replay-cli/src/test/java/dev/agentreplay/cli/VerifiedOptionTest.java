package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that verify a session before they read it. */
class VerifiedOptionTest {

  @TempDir
  private Path home;

  private String session;

  @BeforeEach
  void record() throws IOException {
    Path directory = home.resolve("session");
    RecorderOptions options = RecorderOptions.defaults().withBlobThreshold(40);
    try (SessionRecorder recorder =
        SessionRecorder.start(directory, SessionStart.of("s"), options)) {
      recorder.call("read", JsonObject.of("path", "a")).result("fn main() {}");
      recorder
          .call("test", JsonObject.EMPTY)
          .result("3 tests failed, 12 passed: " + "x".repeat(40));
      recorder.end(Status.SUCCESS, 1);
    }
    session = directory.toString();
  }

  private void alter() throws IOException {
    Path log = Path.of(session, "REPLAY.jsonl");
    Files.writeString(log, Files.readString(log).replace("fn main", "fn evil"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"show S", "diff S S", "convert S OUT --to type"})
  void session_that_is_valid_is_read_and_one_that_is_not_is_refused(String command)
      throws IOException {
    Path out = home.resolve("out");
    String line = command.replace("S", session).replace("OUT", out.toString()) + " --verified";
    assertThat(Console.run(line.split(" ")).exit()).isZero();
    alter();
    String[] again =
        line.replace(out.toString(), home.resolve("other").toString()).split(" ");
    Console console = Console.run(again);
    assertThat(console.exit()).isEqualTo(1);
    assertThat(console.out()).isEmpty();
    assertThat(console.err())
        .contains(
            "--verified: the session is refused, because it is not valid", "OUTPUT_HASH_MISMATCH");
    assertThat(home.resolve("other")).doesNotExist();
  }

  @Test
  void session_that_no_trusted_key_has_signed_is_refused() {
    Path key = home.resolve("key");
    assertThat(Console.run("keygen", key.toString()).exit()).isZero();
    Console console = Console.run("show", session, "--verified", "--public-key", key + ".pub");
    assertThat(console.exit()).isEqualTo(1);
    assertThat(console.out()).isEmpty();
    assertThat(console.err()).contains("a trusted key's signature over every line");
  }

  @Test
  void session_that_cannot_be_read_is_reported_as_unreadable() throws IOException {
    Path log = Path.of(session, "REPLAY.jsonl");
    Files.writeString(log, Files.readString(log) + "{\"event\":\n" + "{}\n");
    for (String command : new String[] {"show S", "diff S S", "convert S OUT --to type"}) {
      String line =
          command.replace("S", session).replace("OUT", home.resolve("out").toString());
      Console console = Console.run((line + " --verified").split(" "));
      assertThat(console.exit()).as(console.err()).isEqualTo(ExitCode.UNREADABLE);
      assertThat(console.err()).contains("--verified: the session is refused");
    }
  }

  @Test
  void key_without_verifying_is_wrong_usage() {
    Console console = Console.run("show", session, "--public-key", "k.pub");
    assertThat(console.exit()).isEqualTo(2);
    assertThat(console.err()).contains("--public-key and --checkpoint require --verified");
  }

  @Test
  void preview_is_shown_as_one() {
    assertThat(Console.run("show", session).out())
        .contains("(preview) 3 tests failed")
        .doesNotContain("(preview) fn main");
  }
}
