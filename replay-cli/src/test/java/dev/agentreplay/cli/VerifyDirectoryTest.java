package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code replay verify DIR}: nothing in it is passed over in silence. */
class VerifyDirectoryTest {

  private static final String HEADER =
      "{\"created_at\":\"2026-01-13T10:00:00Z\",\"event\":\"ReplayHeader\",\"producer\":\"p@1\","
          + "\"replay_version\":1}\n";

  @TempDir
  Path home;

  private Path sound;

  @BeforeEach
  void record() throws IOException {
    sound = record("dir/sound", "sound");
  }

  @Test
  void log_in_the_directory_itself_hides_no_other() throws IOException {
    Path tampered = record("dir/tampered", "tampered").resolve("REPLAY.jsonl");
    Files.writeString(tampered, Files.readString(tampered).replace("\"out\"", "\"evil\""));
    Files.copy(record("genuine", "genuine").resolve("REPLAY.jsonl"), log(home.resolve("dir")));

    Console console = verify("dir");
    assertThat(console.exit()).isEqualTo(1);
    assertThat(console.out())
        .contains("3 sessions: 2 valid, 1 invalid", "OUTPUT_HASH_MISMATCH")
        .doesNotContain("skipped");
  }

  @Test
  void session_with_nothing_below_it_has_the_report_of_one() {
    Console console = verify("dir/sound");
    assertThat(console.exit()).isZero();
    assertThat(console.out()).startsWith("valid  " + sound).contains("  proved ");
  }

  @Test
  void link_is_skipped_and_fails_the_batch() throws IOException {
    Path link = Files.createSymbolicLink(home.resolve("dir/link"), record("out", "out"));

    Console console = verify("dir");
    assertThat(console.exit()).isEqualTo(3);
    assertThat(console.out())
        .contains(link + "  (skipped: a link, which is not followed)")
        .contains("1 session: 1 valid\n1 place skipped: sessions there are not verified\n");
    assertThat(console.err())
        .isEqualTo("replay: " + link + ": skipped: a link, which is not followed\n");

    List<String> json = verify("dir", "--format", "json").out().lines().toList();
    assertThat(json).hasSize(3);
    assertThat(JsonText.parse(json.get(0)).at("/error").asString()).contains(": skipped: ");
    JsonObject totals = JsonText.parse(json.get(2)).asObject();
    assertThat(totals.at("/schema").asString()).isEqualTo("replay.verify-batch/1");
    assertThat(totals.at("/sessions").asLong()).isEqualTo(1);
    assertThat(totals.at("/skipped").asLong()).isEqualTo(1);
    assertThat(totals.at("/verdicts")).isEqualTo(JsonObject.of("valid", 1));
  }

  @Test
  void session_under_two_names_is_named() throws IOException {
    Path copy = Files.createDirectories(home.resolve("dir/zcopy"));
    Files.copy(log(sound), log(copy));

    Console console = verify("dir");
    assertThat(console.exit()).isZero();
    assertThat(console.out())
        .contains("SESSION_REPEATED  the log has the same lines as %s".formatted(sound));
    Console strict = verify("dir", "--strict", "--format", "json");
    assertThat(strict.exit()).isEqualTo(1);
    assertThat(strict.out()).contains("\"finding_counts\":{\"SESSION_REPEATED\":1}}");

    Files.delete(log(copy));
    Path other = record("dir/zother", "sound");
    assertThat(verify("dir", "-q").out())
        .contains("1 SESSION_REPEATED")
        .doesNotContain(other.toString());
    assertThat(verify("dir").out())
        .contains("session_id is the same as in %s, which has a different log".formatted(sound));
  }

  @Test
  void log_of_another_name_is_verified() throws IOException {
    Files.writeString(home.resolve("dir/run.jsonl"), HEADER + "junk\n");
    Console console = verify("dir");
    assertThat(console.exit()).isEqualTo(3);
    assertThat(console.out()).contains("2 sessions: 1 valid, 1 unreadable", "run.jsonl");
  }

  @Test
  @Tag("slow")
  void line_that_takes_more_memory_than_there_is_ends_no_batch()
      throws IOException, InterruptedException {
    Path bomb = Files.createDirectories(home.resolve("dir/bomb"));
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(bomb.resolve("REPLAY.jsonl.gz")))) {
      out.write(HEADER.getBytes(StandardCharsets.UTF_8));
      // because of the space, the value is not canonical, and is parsed at once
      out.write("{\"event\":\"X\",\"a\":[ ".getBytes(StandardCharsets.UTF_8));
      out.write("[1],".repeat(4_000_000).getBytes(StandardCharsets.UTF_8));
      out.write("1]}\n".getBytes(StandardCharsets.UTF_8));
    }
    Duration most = Duration.ofSeconds(60);

    BoundedRun batch = BoundedRun.of(most, home, "verify", home.resolve("dir"), "--jobs", "2");
    assertThat(batch.exitCode()).isEqualTo(3);
    assertThat(batch.out()).contains("2 sessions: 1 valid, 1 unreadable");
    String message =
        bomb.resolve("REPLAY.jsonl.gz") + ": line 2, byte %d: the line".formatted(HEADER.length());
    assertThat(batch.err()).contains(message, "java -Xmx", "REPLAY_JAVA_OPTS=-Xmx4g");

    BoundedRun alone = BoundedRun.of(most, home, "verify", bomb);
    assertThat(alone.exitCode()).isEqualTo(3);
    assertThat(alone.err()).contains(message);
    BoundedRun stats = BoundedRun.of(most, home, "stats", bomb);
    assertThat(stats.exitCode()).isEqualTo(3);
    assertThat(stats.err()).contains("not enough memory for this input", "REPLAY_JAVA_OPTS=-Xmx4g");
  }

  private Path record(String name, String id) throws IOException {
    Path directory = home.resolve(name);
    try (SessionRecorder recorder = SessionRecorder.start(directory, id)) {
      recorder.call("read", JsonObject.of("path", "a")).result("out");
      recorder.end(Status.SUCCESS, 0.9);
    }
    return directory;
  }

  private static Path log(Path directory) {
    return directory.resolve("REPLAY.jsonl");
  }

  private Console verify(String name, String... options) {
    String[] command = new String[options.length + 2];
    command[0] = "verify";
    command[1] = home.resolve(name).toString();
    System.arraycopy(options, 0, command, 2, options.length);
    return Console.run(command);
  }
}
