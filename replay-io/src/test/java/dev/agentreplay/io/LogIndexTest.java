package dev.agentreplay.io;

import static dev.agentreplay.io.TestLogs.HEADER;
import static dev.agentreplay.io.TestLogs.STEP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.Position;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.testkit.TestFiles;
import dev.agentreplay.testkit.TestSessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Random access yields what reading from the beginning yields. */
class LogIndexTest {

  @TempDir
  private Path directory;

  static List<Path> sessions() {
    return TestSessions.bundled();
  }

  @ParameterizedTest
  @MethodSource("sessions")
  void every_line_and_every_id_is_found_as_by_reading(Path session) throws IOException {
    Path log = session.resolve(Session.LOG_NAME);
    List<ReplayLine> lines = readAll(log);
    LogIndex index = LogIndex.of(log);

    assertThat(index.size()).isEqualTo(lines.size());
    assertThat(index.malformed()).isZero();
    Map<String, List<Position>> byId = new LinkedHashMap<>();
    for (ReplayLine line : lines) {
      ReplayLine same = index.line(line.position().line());
      assertThat(same.position()).isEqualTo(line.position());
      assertThat(same.raw()).isEqualTo(line.raw());
      assertThat(same.event()).isEqualTo(line.event());
      assertThat(same.findings()).isEqualTo(line.findings());
      ids(line.event()).forEach(id -> byId.computeIfAbsent(id, unseen -> new ArrayList<>())
          .add(line.position()));
    }
    for (Map.Entry<String, List<Position>> id : byId.entrySet()) {
      assertThat(index.positions(id.getKey())).isEqualTo(id.getValue());
      assertThat(index.positions(id.getKey() + " ")).isEmpty();
    }
  }

  @Test
  void index_takes_eight_bytes_for_a_line_and_eight_for_an_id() throws IOException {
    int steps = 10_000;
    LogIndex index = LogIndex.of(write("log", HEADER + "\n" + (STEP + "\n").repeat(steps)));
    assertThat(index.heldBytes()).isEqualTo(8L * (steps + 2) + 8L * steps);
  }

  @Test
  void ids_with_one_fingerprint_are_told_apart() throws IOException {
    Path log = directory.resolve("log");
    List<String> ids = idsWithOneFingerprint();
    Files.writeString(
        log,
        HEADER + "\n" + STEP.replace("\"s\"", '"' + ids.get(0) + '"') + "\n"
            + STEP.replace("\"s\"", '"' + ids.get(1) + '"') + "\n");
    LogIndex index = LogIndex.of(log);
    assertThat(index.positions(ids.get(0))).extracting(Position::line).containsExactly(2L);
    assertThat(index.positions(ids.get(1))).extracting(Position::line).containsExactly(3L);
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 3, 1L << 32, Long.MAX_VALUE})
  void line_that_is_not_there_is_refused(long number) throws IOException {
    LogIndex index = LogIndex.of(write("log", HEADER + "\n" + STEP + "\n"));
    assertThatThrownBy(() -> index.line(number)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> index.position(number)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void empty_log_has_an_empty_index() throws IOException {
    LogIndex index = LogIndex.of(write("log", ""));
    assertThat(index.size()).isZero();
    assertThat(index.positions("a")).isEmpty();
  }

  @Test
  void line_that_is_no_event_has_a_number_and_is_refused_when_it_is_read() throws IOException {
    String log = HEADER + "\njunk\n" + "x".repeat(500) + "\n" + STEP + "\n{\"event\"";
    LogIndex index = LogIndex.of(write("log", log), ReaderOptions.defaults().withMaxLineBytes(400));
    assertThat(index.size()).isEqualTo(5);
    assertThat(index.malformed()).isEqualTo(3);
    assertThatThrownBy(() -> index.line(2)).hasMessageContaining(": line 2, byte ");
    assertThatThrownBy(() -> index.line(3)).hasMessageContaining("line is longer than 400 bytes");
    assertThat(index.line(4).event()).isInstanceOf(StepComplete.class);
    assertThatThrownBy(() -> index.line(5)).hasMessageContaining("is cut short after 8 bytes");
    assertThat(index.positions("s")).containsExactly(index.position(4));
  }

  @Test
  void log_that_grows_is_indexed_as_it_was() throws IOException {
    Path log = write("log", HEADER + "\n" + STEP + "\n");
    LogIndex index = LogIndex.of(log);
    Files.writeString(log, STEP + "\n", StandardOpenOption.APPEND);
    write("log.2", STEP + "\n");
    assertThat(index.size()).isEqualTo(2);
    assertThat(index.line(2).json()).hasToString(STEP);
    assertThat(index.positions("s")).hasSize(1);
  }

  @Test
  void log_that_was_cut_or_changed_or_replaced_is_an_error() throws IOException {
    Path log = write("log", HEADER + "\n" + STEP + "\n" + STEP + "\n");
    LogIndex index = LogIndex.of(log);
    Files.writeString(log, HEADER + "\n{}\n" + STEP + "\n");
    assertThatThrownBy(() -> index.line(2)).hasMessageEndingWith("found another: the log changed");
    assertThatThrownBy(() -> index.line(3)).isInstanceOf(IOException.class);
    Files.writeString(log, HEADER + "\n");
    assertThatThrownBy(() -> index.line(2)).hasMessageEndingWith("found another: the log changed");
    assertThatThrownBy(() -> index.line(3)).hasMessageContaining("the file was cut to");
    Path other = write("other", HEADER + "\n" + STEP + "\n" + STEP + "\n");
    Files.move(other, log, StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(() -> index.line(2)).hasMessageContaining("another file is in its place");
  }

  @Test
  void part_that_was_replaced_is_an_error_for_each_of_its_lines_and_no_other() throws IOException {
    Path log = write("log", HEADER + "\n");
    Path part = write("log.2", STEP + "\n" + STEP + "\n");
    LogIndex index = LogIndex.of(log);
    Path other = write("other", STEP + "\n" + STEP + "\n");
    Files.move(other, part, StandardCopyOption.REPLACE_EXISTING);
    assertThat(index.line(1).json()).hasToString(HEADER);
    for (int number = 2; number <= 3; number++) {
      Position position = index.position(number);
      assertThatThrownBy(() -> index.line(position.line()))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "%s: %s: another file is in its place after it was read up to here", part, position);
    }
    Files.delete(part);
    assertThatThrownBy(() -> index.line(2)).hasMessageEndingWith("found another: the log changed");
    assertThatThrownBy(() -> index.line(3)).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void log_without_random_access_is_refused() throws IOException {
    Path compressed = Files.write(directory.resolve("gz"), TestFiles.gzip(new byte[] {'a'}));
    assertThatThrownBy(() -> LogIndex.of(compressed))
        .hasMessage(
            "%s: expected a regular file that is not compressed, found a gzip file", compressed);
    assertThatThrownBy(() -> LogIndex.of(directory.resolve("none")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void threads_read_it_at_the_same_time() throws IOException {
    StringBuilder text = new StringBuilder(HEADER + "\n");
    for (int i = 2; i <= 500; i++) {
      text.append(STEP.replace("\"s\"", "\"s" + i + '"')).append('\n');
    }
    int cut = text.length() / 2;
    Path log = write("log", text.substring(0, cut));
    write("log.2", text.substring(cut));
    LogIndex index = LogIndex.of(log);
    IntStream.range(0, 2_000).parallel().forEach(seed -> {
      try {
        int number = 2 + new Random(seed).nextInt(499);
        assertThat(index.line(number).event())
            .isInstanceOfSatisfying(
                StepComplete.class, step -> assertThat(step.stepId()).isEqualTo("s" + number));
        assertThat(index.positions("s" + number)).containsExactly(index.position(number));
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
  }

  /** Two ids whose fingerprints, of 32 bits, are the same: among so many there are some. */
  private static List<String> idsWithOneFingerprint() {
    Map<Long, String> seen = new TreeMap<>();
    for (int i = 0; ; i++) {
      String id = "id-" + i;
      String other = seen.put(LogIndex.entry(id, 0), id);
      if (other != null) {
        return List.of(other, id);
      }
    }
  }

  private static List<String> ids(ReplayEvent event) {
    if (event instanceof ToolCall call) {
      return call.stepId() == null || call.stepId().equals(call.id())
          ? List.of(call.id())
          : List.of(call.id(), call.stepId());
    } else if (event instanceof ToolResult result) {
      return List.of(result.id());
    }
    return event instanceof StepComplete step ? List.of(step.stepId()) : List.of();
  }

  private static List<ReplayLine> readAll(Path log) throws IOException {
    List<ReplayLine> lines = new ArrayList<>();
    try (ReplayReader reader = ReplayReader.open(log)) {
      reader.forEach(lines::add);
    }
    return lines;
  }

  private Path write(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content);
  }
}
