package dev.agentreplay.io.log;

import static dev.agentreplay.io.log.TestLogs.HEADER;
import static dev.agentreplay.io.log.TestLogs.STEP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Status;
import dev.agentreplay.testkit.TestFiles;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log while it is written: whole lines only, and what a writer took back is never seen. */
@Timeout(300)
class LogFollowerTest {

  private static final String END =
      "{\"confidence\":1.0,\"event\":\"SessionEnd\",\"status\":\"Success\","
          + "\"t\":\"2026-01-13T10:00:02Z\",\"total_latency_ms\":0,\"total_tool_calls\":0}";

  private static final String SEGMENT =
      "{\"bytes_before\":0,\"event\":\"LogSegment\",\"hash_before\":\"sha256:" + "0".repeat(64)
          + "\",\"lines_before\":1,\"segment\":2,\"t\":\"2026-01-13T10:00:01Z\"}\n";

  private static final FollowOptions EAGER =
      FollowOptions.defaults().withPollInterval(Duration.ofMillis(1));

  /** Options with a poll interval that no test can wait for. */
  private static final FollowOptions PATIENT =
      FollowOptions.defaults().withPollInterval(Duration.ofHours(1));

  @TempDir
  private Path directory;

  private Path log;

  @Test
  void lines_of_a_writer_are_followed_to_the_end_whatever_pieces_it_writes() throws Exception {
    List<String> lines = new ArrayList<>(List.of(HEADER));
    for (int i = 0; i < 300; i++) {
      int length = i % 50 == 49 ? 150_000 : i;
      lines.add("{\"event\":\"Note\",\"n\":%d,\"text\":\"%s\"}".formatted(i, "x".repeat(length)));
    }
    lines.add(END);
    log("");
    CountDownLatch halfRead = new CountDownLatch(1);
    CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
      try {
        writeInPieces(lines.subList(0, 150), log, 1);
        halfRead.await();
        writeInPieces(lines.subList(150, lines.size()), segment(2), 2);
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    List<String> read = new ArrayList<>();
    try (LogFollower follower = LogFollower.open(log, EAGER)) {
      for (ReplayLine line = follower.next(); line != null; line = follower.next()) {
        read.add(line.json().toString());
        if (read.size() == 150) {
          halfRead.countDown();
        }
      }
      assertThat(follower.isEnded()).isTrue();
      assertThat(follower.dialect()).isEqualTo(Dialect.EVENT);
    }
    writer.join();
    assertThat(read).isEqualTo(lines);
  }

  @Test
  void line_is_not_returned_before_its_line_feed_wherever_it_is_cut() throws Exception {
    log(HEADER + "\n");
    try (LogFollower follower = LogFollower.open(log, EAGER)) {
      assertNext(follower, HEADER);
      for (int i = 0; i < STEP.length(); i++) {
        append(STEP.substring(i, i + 1));
        assertNothing(follower);
      }
      append("\n");
      assertNext(follower, STEP);
      assertNothing(follower);
      assertThat(follower.isEnded()).isFalse();
    }
  }

  @Test
  void line_that_was_taken_back_is_not_seen_in_the_one_in_its_place() throws Exception {
    log(HEADER + "\n");
    try (LogFollower follower = LogFollower.open(log, EAGER)) {
      assertNext(follower, HEADER);
      for (int torn = 1; torn <= STEP.length() + 5; torn++) {
        long committed = Files.size(log);
        append("{\"event\":\"Torn\",\"text\":\"" + "x".repeat(torn));
        assertNothing(follower);
        cut(committed);
        append(STEP + "\n");
        assertNext(follower, STEP);
      }
    }
  }

  @Test
  void line_is_never_made_of_pieces_of_two_that_were_written_in_one_place() throws Exception {
    log(HEADER + "\n");
    String start = "{\"event\":\"Note\",\"text\":\"";
    String line = start + "y".repeat(100_000) + "\"}";
    append(start + "x".repeat(90_000));
    ReadDisk rewritten = new ReadDisk() {
      private int reads;

      @Override
      public InputStream read(Path file) throws IOException {
        return new FilterInputStream(super.read(file)) {
          @Override
          public int read(byte[] bytes, int from, int length) throws IOException {
            if (length > 2 && ++reads == 2) { // while the torn line is read
              cut(HEADER.length() + 1);
              LogFollowerTest.this.append(line + "\n");
            }
            return super.read(bytes, from, length);
          }
        };
      }
    };
    try (LogFollower follower = LogFollower.of(log, LogBytes.openPlain(rewritten, log), EAGER)) {
      assertNext(follower, HEADER);
      assertNext(follower, line);
    }
  }

  @Test
  void segment_that_was_taken_back_is_forgotten_and_may_be_begun_again() throws Exception {
    log(HEADER + "\n");
    try (LogFollower follower = LogFollower.open(log, EAGER)) {
      assertNext(follower, HEADER);
      Files.writeString(segment(2), "{\"event\":\"Torn");
      assertNothing(follower);
      Files.delete(segment(2));
      append(STEP + "\n");
      assertNext(follower, STEP);
      Files.writeString(segment(2), END + "\n");
      assertNext(follower, END);
    }
  }

  @Test
  void line_that_was_rolled_back_before_the_log_was_rotated_is_forgotten() throws Exception {
    log(HEADER + "\n{\"event\":\"Torn");
    ReadDisk rotated = new ReadDisk() {
      private boolean done;

      @Override
      public FileState state(Path file) throws IOException {
        if (file.equals(segment(2)) && !done) { // behind the end of the torn line
          done = true;
          cut(HEADER.length() + 1);
          Files.writeString(segment(2), STEP + "\n");
        }
        return super.state(file);
      }
    };
    try (LogFollower follower = LogFollower.of(log, LogBytes.openPlain(rotated, log), EAGER)) {
      assertNext(follower, HEADER);
      assertNothing(follower);
      assertNext(follower, STEP);
    }
  }

  @Test
  void line_that_was_read_and_is_missing_after_a_rotation_is_an_error() throws Exception {
    log(HEADER + "\n" + STEP + "\n");
    ReadDisk rotated = new ReadDisk() {
      private boolean done;

      @Override
      public FileState state(Path file) throws IOException {
        if (file.equals(segment(2)) && !done) {
          done = true;
          cut(HEADER.length() + 1);
          Files.writeString(segment(2), STEP + "\n");
        }
        return super.state(file);
      }
    };
    try (LogFollower follower = LogFollower.of(log, LogBytes.openPlain(rotated, log), EAGER)) {
      assertNext(follower, HEADER);
      assertNext(follower, STEP);
      assertNothing(follower);
      assertThatThrownBy(() -> follower.next(Duration.ZERO))
          .hasMessageContaining(": line 3, byte ")
          .hasMessageContaining("truncated to");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void segment_that_is_deleted_while_it_is_opened_is_ignored(boolean isSeen) throws Exception {
    log(HEADER + "\n");
    Files.writeString(segment(2), "{\"event\":\"Torn");
    ReadDisk takenBack = new ReadDisk() {
      @Override
      public FileState state(Path file) throws IOException {
        if (!file.equals(segment(2))) {
          return super.state(file);
        }
        FileState before = isSeen ? super.state(file) : null;
        Files.deleteIfExists(file);
        return isSeen ? before : super.state(file);
      }
    };
    try (LogFollower follower = LogFollower.of(log, LogBytes.openPlain(takenBack, log), EAGER)) {
      assertNext(follower, HEADER);
      assertNothing(follower);
      append(STEP + "\n" + END + "\n");
      assertNext(follower, STEP);
      assertNext(follower, END);
    }
  }

  @Test
  void segment_that_is_replaced_before_it_is_opened_is_read_as_it_is_then() throws Exception {
    log(HEADER + "\n");
    Files.writeString(segment(2), "{\"event\":\"Torn");
    ReadDisk replaced = new ReadDisk() {
      private boolean done;

      @Override
      public InputStream read(Path file) throws IOException {
        if (file.equals(segment(2)) && !done) {
          done = true;
          Path other = Files.writeString(directory.resolve("other"), END + "\n");
          Files.move(other, segment(2), StandardCopyOption.REPLACE_EXISTING);
        }
        return super.read(file);
      }
    };
    try (LogFollower follower = LogFollower.of(log, LogBytes.openPlain(replaced, log), EAGER)) {
      assertNext(follower, HEADER);
      assertNext(follower, END);
    }
  }

  @Test
  void line_before_a_segment_that_was_created_again_meanwhile_is_not_skipped() throws Exception {
    log(HEADER + "\n");
    Files.writeString(segment(2), END + "\n");
    ReadDisk begunAnew = new ReadDisk() {
      private boolean done;

      @Override
      public InputStream read(Path file) throws IOException {
        if (file.equals(segment(2)) && !done) {
          done = true;
          LogFollowerTest.this.append(STEP + "\n");
        }
        return super.read(file);
      }
    };
    try (LogFollower follower = LogFollower.of(log, LogBytes.openPlain(begunAnew, log), EAGER)) {
      assertNext(follower, HEADER);
      assertNext(follower, STEP);
      assertNext(follower, END);
    }
  }

  @Test
  void segment_that_was_replaced_while_it_was_read_does_not_lead_to_the_one_behind_it()
      throws Exception {
    log(HEADER + "\n");
    Files.writeString(segment(2), SEGMENT);
    ReadDisk replaced = new ReadDisk() {
      @Override
      public FileState state(Path file) throws IOException {
        if (file.equals(segment(3)) && Files.notExists(file)) { // behind the end of segment 2
          Path other = Files.writeString(directory.resolve("other"), SEGMENT + STEP + "\n");
          Files.move(other, segment(2), StandardCopyOption.REPLACE_EXISTING);
          Files.writeString(segment(3), END + "\n");
        }
        return super.state(file);
      }
    };
    try (LogFollower follower = LogFollower.of(log, LogBytes.openPlain(replaced, log), EAGER)) {
      assertNext(follower, HEADER);
      assertNothing(follower);
      assertThat(follower.next(Duration.ZERO).event().kind()).isEqualTo(EventKind.LOG_SEGMENT);
      assertNext(follower, STEP);
      assertNext(follower, END);
    }
  }

  @Test
  void beginning_of_a_segment_is_not_returned_before_a_line_follows_it() throws Exception {
    log(HEADER + "\n");
    try (LogFollower follower = LogFollower.open(log, EAGER)) {
      assertNext(follower, HEADER);
      Files.writeString(segment(2), SEGMENT);
      assertNothing(follower);
      Files.delete(segment(2)); // like a writer that fails to force it
      append(STEP + "\n");
      assertNext(follower, STEP);
      Files.writeString(segment(2), SEGMENT);
      assertNothing(follower);
      Files.writeString(segment(2), END, StandardOpenOption.APPEND);
      assertThat(follower.next(Duration.ZERO).event().kind()).isEqualTo(EventKind.LOG_SEGMENT);
      assertNothing(follower);
      Files.writeString(segment(2), "\n", StandardOpenOption.APPEND);
      assertNext(follower, END);
    }
  }

  @Test
  void segment_that_is_empty_yet_is_waited_for() throws Exception {
    log(HEADER + "\n");
    try (LogFollower follower = LogFollower.open(log, EAGER)) {
      assertNext(follower, HEADER);
      append(STEP + "\n");
      Files.writeString(segment(2), "");
      assertNext(follower, STEP);
      assertNothing(follower);
      Files.writeString(segment(2), STEP + "\n", StandardOpenOption.APPEND);
      assertNext(follower, STEP);
      Files.writeString(segment(2), END, StandardOpenOption.APPEND);
      assertNothing(follower);
      Files.writeString(segment(2), "\n", StandardOpenOption.APPEND);
      assertNext(follower, END);
    }
  }

  @Test
  void lines_behind_the_end_that_are_there_are_read_and_no_more_is_waited_for() throws Exception {
    log(HEADER + "\n" + END + "\n" + STEP + "\n{\"event\":\"Torn");
    try (LogFollower follower = LogFollower.open(log, PATIENT)) {
      assertThat(text(follower.next())).isEqualTo(HEADER);
      assertThat(follower.isEnded()).isFalse();
      assertThat(text(follower.next())).isEqualTo(END);
      assertThat(follower.isEnded()).isTrue();
      assertThat(text(follower.next())).isEqualTo(STEP);
      assertThat(follower.next()).isNull();
      assertThat(follower.next()).isNull();
    }
  }

  @Test
  void line_other_than_an_event_is_refused_and_the_next_one_is_read() throws Exception {
    log("junk\n" + STEP + "\n");
    ReaderOptions shortLines = ReaderOptions.defaults().withMaxLineBytes(STEP.length());
    try (LogFollower follower = LogFollower.open(log, EAGER.withReader(shortLines))) {
      assertThatThrownBy(follower::next)
          .isInstanceOf(ReplayFormatException.class)
          .hasMessageStartingWith(log + ": line 1, byte 0: ");
      assertNext(follower, STEP);
      append("x".repeat(STEP.length() + 1));
      assertNothing(follower);
      append("\n" + END.substring(0, 10) + "\n");
      assertThatThrownBy(follower::next)
          .hasMessageContaining("line 3, byte %d: line is longer", STEP.length() + 6);
      assertThatThrownBy(follower::next).isInstanceOf(ReplayFormatException.class);
      assertNothing(follower);
    }
  }

  @Test
  void log_that_became_shorter_than_what_was_read_is_an_error_that_stays() throws Exception {
    log(HEADER + "\n" + STEP + "\n");
    try (LogFollower follower = LogFollower.open(log, EAGER)) {
      assertNext(follower, HEADER);
      assertNext(follower, STEP);
      assertNothing(follower);
      long read = Files.size(log);
      cut(read - 1);
      assertThatThrownBy(() -> follower.next(Duration.ZERO))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "%s: line 3, byte %d: truncated to %d bytes after it was read up to here",
              log, read, read - 1);
      append("\n" + STEP + "\n");
      assertThatThrownBy(() -> follower.next(Duration.ZERO))
          .hasMessage("reading ended with an earlier failure");
    }
  }

  @Test
  void log_that_was_replaced_or_deleted_is_an_error() throws Exception {
    log(HEADER + "\n");
    try (LogFollower follower = LogFollower.open(log, EAGER);
        LogFollower other = LogFollower.open(log, EAGER)) {
      assertNext(follower, HEADER);
      assertNothing(follower);
      assertNext(other, HEADER);
      assertNothing(other);
      Path next = Files.writeString(directory.resolve("next"), HEADER + "\n" + STEP + "\n");
      Files.move(log, directory.resolve("old"));
      assertThatThrownBy(() -> other.next(Duration.ZERO)).isInstanceOf(NoSuchFileException.class);
      Files.move(next, log);
      assertThatThrownBy(() -> follower.next(Duration.ZERO))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(": line 2, byte " + (HEADER.length() + 1) + ": replaced by a");
    }
  }

  @Test
  void missing_log_is_refused_or_waited_for() throws Exception {
    log = directory.resolve("later/REPLAY.jsonl");
    assertThatThrownBy(() -> LogFollower.open(log)).isInstanceOf(NoSuchFileException.class);
    try (LogFollower follower = LogFollower.open(log, EAGER.withAwaitsFile(true))) {
      assertNothing(follower);
      assertThat(follower.dialect()).isNull();
      Files.createDirectory(log.getParent());
      assertNothing(follower);
      Files.writeString(log, HEADER + "\n");
      assertThat(text(follower.next())).isEqualTo(HEADER);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void log_that_cannot_be_followed_is_refused(boolean awaits) throws IOException {
    FollowOptions options = EAGER.withAwaitsFile(awaits);
    assertThatThrownBy(() -> LogFollower.open(directory, options))
        .hasMessage(
            "%s: expected a regular file that is not compressed, found another kind", directory);
    Path compressed = Files.write(directory.resolve("gz"), TestFiles.gzip(new byte[] {'a'}));
    assertThatThrownBy(() -> LogFollower.open(compressed, options))
        .hasMessageEndingWith("found a gzip file");
  }

  @Test
  void closing_wakes_the_thread_that_waits() throws Exception {
    log(HEADER + "\n");
    LogFollower follower = LogFollower.open(log, PATIENT);
    assertNext(follower, HEADER);
    CompletableFuture<ReplayLine> waiting = CompletableFuture.supplyAsync(() -> {
      try {
        return follower.next();
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    follower.close();
    follower.close();
    assertThat(waiting.get()).isNull();
    append(STEP + "\n");
    assertThat(follower.next()).isNull();
    assertThat(follower.isEnded()).isFalse();
  }

  @Test
  void interrupt_ends_the_waiting_and_following_continues() throws Exception {
    log(HEADER + "\n");
    try (LogFollower follower = LogFollower.open(log, PATIENT)) {
      Thread.currentThread().interrupt();
      assertThat(text(follower.next())).as("needs no waiting").isEqualTo(HEADER);
      assertThatThrownBy(follower::next).isInstanceOf(InterruptedException.class);
      append(STEP + "\n");
      assertNext(follower, STEP);
    }
  }

  @Test
  void time_out_ends_the_waiting() throws Exception {
    log(HEADER + "\n");
    try (LogFollower follower = LogFollower.open(log, PATIENT)) {
      assertThat(text(follower.next(Duration.ofSeconds(Long.MIN_VALUE)))).isEqualTo(HEADER);
      assertThat(follower.next(Duration.ofMillis(2))).isNull();
      append(STEP + "\n");
      assertThat(text(follower.next(Duration.ofSeconds(Long.MAX_VALUE)))).isEqualTo(STEP);
    }
  }

  @Test
  void recorded_session_is_followed_through_its_recorder() throws Exception {
    Path session = directory.resolve("session");
    List<EventKind> kinds = new ArrayList<>();
    try (SessionRecorder recorder = SessionRecorder.start(session, "s");
        LogFollower follower = LogFollower.open(session.resolve(Session.LOG_NAME), EAGER)) {
      recorder.end(Status.SUCCESS, 1.0);
      for (ReplayLine line = follower.next(); line != null; line = follower.next()) {
        kinds.add(line.event().kind());
      }
    }
    assertThat(kinds)
        .containsExactly(EventKind.REPLAY_HEADER, EventKind.SESSION_START, EventKind.SESSION_END);
  }

  private void log(String content) throws IOException {
    log = Files.writeString(directory.resolve("REPLAY.jsonl"), content);
  }

  private Path segment(int number) {
    return directory.resolve("REPLAY.jsonl." + number);
  }

  private void append(String content) throws IOException {
    Files.writeString(log, content, StandardOpenOption.APPEND);
  }

  private void cut(long length) throws IOException {
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
      channel.truncate(length);
    }
  }

  private static void writeInPieces(List<String> lines, Path file, long seed) throws IOException {
    Random random = new Random(seed);
    byte[] bytes = TestLogs.bytes(String.join("\n", lines) + "\n");
    try (OutputStream out =
        Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (int at = 0; at < bytes.length; ) {
        int length = Math.min(bytes.length - at, 1 + random.nextInt(2_000));
        out.write(bytes, at, length);
        at += length;
      }
    }
  }

  private static void assertNext(LogFollower follower, String line) throws Exception {
    assertThat(text(follower.next(Duration.ZERO))).isEqualTo(line);
  }

  private static void assertNothing(LogFollower follower) throws Exception {
    assertThat(follower.next(Duration.ZERO)).isNull();
  }

  private static String text(ReplayLine line) {
    return line == null ? null : line.json().toString();
  }
}
