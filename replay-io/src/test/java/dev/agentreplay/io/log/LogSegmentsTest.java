package dev.agentreplay.io.log;

import static dev.agentreplay.io.log.TestLogs.HEADER;
import static dev.agentreplay.io.log.TestLogs.STEP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.testkit.TestFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log in several files is the log that they make together. */
class LogSegmentsTest {

  @TempDir
  private Path directory;

  @Test
  void rotated_log_is_read_as_one_with_its_hash_and_its_positions() throws IOException {
    Path log = write("REPLAY.jsonl", HEADER + "\n" + STEP + "\n");
    write("REPLAY.jsonl.2", STEP + "\n");
    write("REPLAY.jsonl.3", "");
    write("REPLAY.jsonl.4", STEP + "\n");
    String whole = HEADER + "\n" + (STEP + "\n").repeat(3);
    Session session = Session.open(directory);

    assertThat(session.openLog()).hasBinaryContent(TestLogs.bytes(whole));
    assertThat(session.replayHash()).isEqualTo(ContentHash.sha256(TestLogs.bytes(whole)));
    assertThat(session.segments())
        .containsExactly(log, segment(log, 2), segment(log, 3), segment(log, 4));
    List<Position> positions = new ArrayList<>();
    try (ReplayReader reader = session.reader()) {
      reader.forEach(line -> positions.add(line.position()));
    }
    assertThat(positions)
        .containsExactly(
            new Position(1, 0),
            new Position(2, HEADER.length() + 1L),
            new Position(3, HEADER.length() + STEP.length() + 2L),
            new Position(4, HEADER.length() + 2L * STEP.length() + 3L));
  }

  @Test
  void log_that_lacks_a_segment_is_refused() throws IOException {
    Path log = write("log", "a");
    write("log.1", "x");
    write("log.02", "x");
    assertThat(content(log)).isEqualTo("a");
    write("log.3", "x");
    assertThatThrownBy(() -> LogSegments.find(log))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("it is missing, but log.3 exists");
    assertThatThrownBy(() -> ReplayReader.open(log))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("it is missing, but log.3 exists");
  }

  @Test
  void segment_that_is_a_link_or_a_directory_is_refused() throws IOException {
    Path log = write("log", "a");
    Path segment = Files.createSymbolicLink(segment(log, 2), write("elsewhere", "b"));
    assertRefused(log, segment + ": expected a regular file, found a symbolic link");
    Files.delete(segment);
    Files.createDirectory(segment);
    assertRefused(log, segment + ": expected a regular file, found a directory");
  }

  @Test
  void segments_of_a_log_that_is_named_by_a_link_are_next_to_the_log() throws IOException {
    Path log = write("log", "a");
    write("log.2", "b");
    write("link.2", "x");
    Path link = Files.createSymbolicLink(directory.resolve("link"), log);
    assertThat(content(link)).isEqualTo("ab");
    assertThat(LogSegments.find(link))
        .containsExactly(log.toRealPath(), segment(log.toRealPath(), 2));
  }

  @Test
  void compressed_log_and_pipe_have_one_file_only() throws Exception {
    Path compressed = directory.resolve("gz");
    Files.write(compressed, TestFiles.gzip(TestLogs.bytes("a")));
    assertThat(content(compressed)).isEqualTo("a");
    assertThat(LogSegments.find(compressed)).containsExactly(compressed);
    write("gz.2", "x");
    assertThatThrownBy(() -> content(compressed))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("which has no segments");

    Path pipe = directory.resolve("pipe");
    assumeTrue(TestFiles.makePipe(pipe), "no named pipes here");
    write("pipe.2", "x");
    CompletableFuture<Void> written = CompletableFuture.runAsync(() -> {
      try (OutputStream out = Files.newOutputStream(pipe)) {
        out.write('a');
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
    assertThat(content(pipe)).isEqualTo("a");
    written.join();
  }

  @Test
  void malformed_line_is_reported_with_its_file() throws IOException {
    Path log = write("log", HEADER + "\n");
    Path segment = write("log.2", STEP + "\njunk\n");
    long offset = HEADER.length() + STEP.length() + 2L;
    try (ReplayReader reader = ReplayReader.open(log)) {
      reader.read();
      reader.read();
      assertThatThrownBy(reader::read)
          .isInstanceOfSatisfying(ReplayFormatException.class, e -> assertThat(e.position())
              .isEqualTo(new Position(3, offset)))
          .hasMessageStartingWith(
              "%s (%s, byte %d): line 3, byte %d: ", log, segment, STEP.length() + 1, offset);
    }
  }

  @Test
  void what_was_written_to_a_segment_before_the_next_one_was_begun_is_read() throws IOException {
    Path log = write("log", "a");
    ReadDisk writtenMeanwhile = new ReadDisk() {
      private boolean written;

      @Override
      public FileState state(Path file) throws IOException {
        if (file.equals(segment(log, 2)) && !written) { // behind the end that was found
          written = true;
          LogSegmentsTest.append(log, "b");
          write("log.2", "c");
        }
        return super.state(file);
      }
    };
    try (InputStream in = LogBytes.openPlain(writtenMeanwhile, log)) {
      assertThat(text(in)).isEqualTo("abc");
      append(segment(log, 2), "d");
      assertThat(text(in)).isEqualTo("d");
    }
  }

  @Test
  void segment_that_was_cut_behind_the_reader_is_an_error() throws IOException {
    Path log = write("log", "abc");
    try (InputStream in = LogSegments.open(log)) {
      assertThat(text(in)).isEqualTo("abc");
      write("log", "ab");
      write("log.2", "d");
      assertThatThrownBy(in::read)
          .isInstanceOf(IOException.class)
          .hasMessage("%s: byte 3: truncated to 2 bytes after it was read up to here", log);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"REPLAY.jsonl.2", "REPLAY.jsonl.9", "REPLAY.jsonl.10", "REPLAY.jsonl.200"})
  void name_of_a_later_segment_is_known(String name) {
    assertThat(LogSegments.isLaterSegment("REPLAY.jsonl", name)).isTrue();
    int number = Integer.parseInt(name.substring("REPLAY.jsonl.".length()));
    assertThat(LogSegments.file(Path.of("REPLAY.jsonl"), number)).hasToString(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "REPLAY.jsonl",
        "REPLAY.jsonl.",
        "REPLAY.jsonl.0",
        "REPLAY.jsonl.1",
        "REPLAY.jsonl.02",
        "REPLAY.jsonl.2x",
        "REPLAY.jsonl.2\n",
        "REPLAY.jsonl.99999999999",
        "REPLAY.jsonl.gz",
        "REPLAY.jsonl.lock",
        "xREPLAY.jsonl.2",
        "replay.jsonl.2"
      })
  void name_of_something_else_is_not_taken_for_a_segment(String name) {
    assertThat(LogSegments.isLaterSegment("REPLAY.jsonl", name)).isFalse();
  }

  private static void assertRefused(Path log, String message) throws IOException {
    assertThatThrownBy(() -> LogSegments.open(log)).hasMessageStartingWith(message);
    // as when it comes while the log is read
    try (InputStream in = LogBytes.openPlain(LocalDisk.INSTANCE, log)) {
      assertThat(in.read()).isEqualTo('a');
      assertThatThrownBy(in::read).isInstanceOf(IOException.class).hasMessageStartingWith(message);
    }
    assertThatThrownBy(() -> LogSegments.find(log)).hasMessageStartingWith(message);
  }

  private Path write(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content);
  }

  private static void append(Path file, String content) throws IOException {
    Files.writeString(file, content, StandardOpenOption.APPEND);
  }

  private static Path segment(Path log, int number) {
    return LogSegments.file(log, number);
  }

  private static String content(Path log) throws IOException {
    try (InputStream in = LogSegments.open(log)) {
      return text(in);
    }
  }

  private static String text(InputStream in) throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
  }
}
