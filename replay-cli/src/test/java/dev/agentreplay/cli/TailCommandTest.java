package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.Status;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code replay tail}. */
@Timeout(60)
class TailCommandTest {

  @TempDir
  private Path home;

  @Test
  void last_lines_of_an_ended_session_are_those_that_show_prints() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(home.resolve("a"), "a")) {
      session.call("read", Map.of("path", "a")).result("one");
      session.call("read", Map.of("path", "b")).result("two");
      session.end(Status.SUCCESS);
    }
    String directory = home.resolve("a").toString();
    String shown = Console.run("show", directory).out();

    Console all = Console.run("tail", "--lines", "100", directory);
    assertThat(all.out()).isEqualTo(shown).contains("#1", "two", "end: ");
    assertThat(all.exit()).isZero();
    assertThat(shown).endsWith(Console.run("tail", "--lines", "2", directory).out());
    assertThat(Console.run("tail", "-n", "2", directory).out().lines()).hasSize(2);
    assertThat(Console.run("tail", "-n", "0", directory).out()).isEmpty();
    assertThat(Console.run("tail", "-n", "100", "--format", "json", directory).out())
        .isEqualTo(Files.readString(home.resolve("a/REPLAY.jsonl")));
  }

  @Test
  void running_session_is_followed_to_its_end() throws Exception {
    try (SessionRecorder session = SessionRecorder.start(home.resolve("a"), "a")) {
      session.call("read", Map.of("path", "a")).result("one");
      assertThat(
              Console.run("tail", "--no-follow", home.resolve("a").toString()).out())
          .contains("one")
          .doesNotContain("end: ");
      AwaitedOutput out = new AwaitedOutput();
      CompletableFuture<Integer> tail = CompletableFuture.supplyAsync(() -> Main.run(
          new String[] {"tail", home.resolve("a").toString()},
          new Terminal(
              InputStream.nullInputStream(), out.stream(), out.stream(), false, false, false, 0)));
      out.await("one");
      session.call("read", Map.of("path", "b")).result("two");
      out.await("two");
      assertThat(tail).isNotDone();
      session.end(Status.SUCCESS);
      assertThat(tail.get(50, TimeUnit.SECONDS)).isZero();
      out.await("end: ");
    }
  }

  /** Output that a test waits for. */
  private static final class AwaitedOutput extends ByteArrayOutputStream {

    PrintStream stream() {
      return new PrintStream(this, true, StandardCharsets.UTF_8);
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int length) {
      super.write(bytes, from, length);
      notifyAll();
    }

    @Override
    public synchronized void write(int written) {
      super.write(written);
      notifyAll();
    }

    synchronized void await(String text) throws InterruptedException {
      while (!toString(StandardCharsets.UTF_8).contains(text)) {
        wait();
      }
    }
  }

  @Test
  void malformed_line_is_reported_and_those_after_it_are_printed() throws IOException {
    Files.writeString(
        Files.createDirectory(home.resolve("a")).resolve("REPLAY.jsonl"),
        """
        {"event":"ReplayHeader","replay_version":1}
        {"event":
        {"event":"SessionEnd","status":"Success\\u001b[31m"}
        """);
    Console tail = Console.run("tail", home.resolve("a").toString());
    assertThat(tail.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(tail.err()).contains("line 2");
    assertThat(tail.out()).contains("end: Success␛[31m");
  }

  @Test
  @Timeout(60)
  void file_without_known_events_is_not_followed() throws IOException {
    Files.writeString(home.resolve("a.jsonl"), "{\"a\":1}\n{\"b\":2}\n");
    Console tail = Console.run("tail", home.resolve("a.jsonl").toString());
    assertThat(tail.exit()).isEqualTo(ExitCode.UNREADABLE);
  }

  @Test
  void log_that_is_still_empty_has_no_lines() throws IOException {
    Files.createFile(Files.createDirectory(home.resolve("a")).resolve("REPLAY.jsonl"));
    Console tail = Console.run("tail", "--no-follow", home.resolve("a").toString());
    assertThat(tail.exit()).isZero();
    assertThat(tail.out() + tail.err()).isEmpty();
  }

  @Test
  void wrong_usage_is_refused() {
    assertThat(Console.run("tail", "--lines", "-1", home.toString()).err())
        .contains("--lines: expected 0 or more, found -1");
    assertThat(Console.run("tail", home.resolve("missing").toString()).exit())
        .isEqualTo(ExitCode.UNREADABLE);
  }
}
