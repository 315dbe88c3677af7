package dev.agentreplay.io.log;

import static dev.agentreplay.io.log.TestLogs.HEADER;
import static dev.agentreplay.io.log.TestLogs.STEP;
import static dev.agentreplay.io.log.TestLogs.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.io.file.DiskFiles;
import dev.agentreplay.io.log.Salvaged.Gap;
import dev.agentreplay.io.log.Salvaged.GapKind;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.finding.Position;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every kind of damage: the events that are read, and the gap that is reported. */
class SalvageTest {

  private static final Path LOG = Path.of("REPLAY.jsonl");
  private static final String CALL = "{\"event\":\"ToolCall\",\"id\":\"1\",\"params\":{\"a\":"
      + "[{\"event\":\"x\"},\"} \\\" {\"]},\"tool\":\"t\"}";

  @TempDir
  private Path directory;

  @Test
  void whole_log_has_no_gap() throws IOException {
    assertThat(describe(HEADER + "\n" + CALL + "\n" + STEP + "\n"))
        .containsExactly(HEADER + "\n", CALL + "\n", STEP + "\n");
  }

  @Test
  void last_event_without_line_feed_is_read() throws IOException {
    assertThat(describe(HEADER + "\n" + STEP)).containsExactly(HEADER + "\n", STEP);
  }

  @Test
  void spliced_events_are_both_read() throws IOException {
    assertThat(describe(HEADER + CALL + " \t" + STEP + "\n" + STEP + "\n"))
        .containsExactly(HEADER, "SPLICED 0", CALL, "SPLICED 2", STEP + "\n", STEP + "\n");
  }

  @Test
  void line_that_is_cut_short_is_a_gap() throws IOException {
    for (int length = 1; length < CALL.length(); length++) {
      assertThat(describe(HEADER + "\n" + CALL.substring(0, length) + "\n" + STEP + "\n"))
          .as("%d", length)
          .containsExactly(HEADER + "\n", "TRUNCATED " + (length + 1), STEP + "\n");
    }
  }

  @Test
  void event_behind_one_that_is_cut_short_is_read() throws IOException {
    for (int length = 1; length < CALL.length(); length++) {
      if (":,[".indexOf(CALL.charAt(length - 1)) >= 0) {
        continue; // the event could be a value of the other one
      }
      assertThat(describe(HEADER + "\n" + CALL.substring(0, length) + CALL + STEP + "\r\n"))
          .as("%d", length)
          .containsExactly(HEADER + "\n", "TRUNCATED " + length, CALL, "SPLICED 0", STEP + "\r\n");
    }
  }

  @Test
  void events_on_both_sides_of_one_that_is_cut_short_are_read() throws IOException {
    assertThat(describe(HEADER + CALL.substring(0, 30) + STEP + "\n"))
        .containsExactly(HEADER, "TRUNCATED 30", STEP + "\n");
  }

  @Test
  void part_of_an_event_is_not_taken_for_one() throws IOException {
    String cut = CALL.substring(0, CALL.indexOf(']'));
    assertThat(describe(HEADER + "\n{\"a\":{\"b\":1}\n" + cut + "\n"))
        .containsExactly(HEADER + "\n", "TRUNCATED 13", "TRUNCATED " + (cut.length() + 1));
  }

  @Test
  void event_in_the_output_of_a_tool_is_not_taken_for_one() throws IOException {
    String end = "{\"event\":\"SessionEnd\",\"status\":\"Success\",\"confidence\":1.0}";
    String result = "{\"event\":\"ToolResult\",\"id\":\"1\",\"output\":";
    for (String torn : List.of(
        result + end,
        result + " " + end,
        result + "[" + end,
        result + "[1, " + end,
        result + "\0\0" + end)) {
      assertThat(describe(HEADER + "\n" + torn)).noneMatch(piece -> piece.startsWith(end));
      assertThat(describe(HEADER + "\n" + torn + "\n" + STEP + "\n"))
          .startsWith(HEADER + "\n")
          .endsWith(STEP + "\n")
          .noneMatch(piece -> piece.startsWith(end));
    }
    assertThat(describe(HEADER + "\n" + "\0".repeat(9) + end + ",\"x\":1}\n" + STEP + "\n"))
        .noneMatch(piece -> piece.startsWith(end));
    assertThat(describe(HEADER + "\n" + result + end))
        .containsExactly(HEADER + "\n", "TORN_TAIL " + (result + end).length());
  }

  @Test
  void compressed_log_that_is_cut_short_ends_with_a_gap() throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
      for (int i = 0; i < 2_000; i++) {
        out.write(bytes(STEP.replace("\"s\"", "\"" + i * 7919 + "\"") + "\n"));
      }
    }
    byte[] cut = Arrays.copyOf(compressed.toByteArray(), compressed.size() / 2);
    List<Salvaged> pieces = salvage(cut);
    assertThat(pieces).hasSizeGreaterThan(500);
    assertThat(pieces.get(pieces.size() - 1)).isInstanceOfSatisfying(Gap.class, gap -> {
      assertThat(gap.kind()).isEqualTo(GapKind.TRUNCATED);
      assertThat(gap.bytes()).isZero();
      assertThat(gap.detail())
          .isEqualTo(
              "gzip: byte %d of the file: the compressed data is cut short".formatted(cut.length));
    });
  }

  @Test
  void salvaged_log_is_neither_read_with_other_segments_nor_one_of_them() throws IOException {
    Path log = directory.resolve("REPLAY.jsonl");
    String first = HEADER + "\n";
    String second = LogSegmentsRecoveryTest.segment(2, 1, first) + "\n";
    Files.writeString(log, first);
    Path segment = Files.writeString(directory.resolve("REPLAY.jsonl.2"), second);
    Path link = Files.createSymbolicLink(directory.resolve("link"), log);
    Files.writeString(directory.resolve("other.2"), "other");
    for (String out :
        List.of("REPLAY.jsonl", "REPLAY.jsonl.2", "REPLAY.jsonl.3", "link", "other")) {
      for (Path in : List.of(log, link)) {
        assertThatThrownBy(
                () -> LogRecovery.of(in).salvage(directory.resolve(out), true, gap -> {}))
            .as(out)
            .isInstanceOf(FileAlreadyExistsException.class);
      }
    }
    assertThat(segment).hasContent(second);
    assertThat(directory.resolve("REPLAY.jsonl.3")).doesNotExist();
    assertThat(LogRecovery.of(link).salvage(directory.resolve("out"), false, gap -> {}))
        .isEqualTo(2);
    assertThat(directory.resolve("out")).hasContent(first + second);
  }

  @Test
  void nul_run_is_a_gap() throws IOException {
    assertThat(describe(HEADER + "\n\0\0\0" + STEP + "\n" + STEP + "\0\n\0\0\n{\"a\0\0" + STEP
            + "\n" + STEP + "\n\0\0\0\0"))
        .containsExactly(
            HEADER + "\n",
            "NUL_RUN 3",
            STEP + "\n",
            STEP,
            "NUL_RUN 2",
            "NUL_RUN 3",
            "TRUNCATED 3",
            "NUL_RUN 2",
            STEP + "\n",
            STEP + "\n",
            "NUL_RUN 4");
  }

  @Test
  void line_behind_a_byte_order_mark_is_read() throws IOException {
    assertThat(describe("\ufeff" + HEADER + "\n\ufeff" + STEP + "\n\ufeff\n"))
        .containsExactly(
            "BYTE_ORDER_MARK 3",
            HEADER + "\n",
            "BYTE_ORDER_MARK 3",
            STEP + "\n",
            "BYTE_ORDER_MARK 4");
  }

  @Test
  void blank_line_is_a_gap() throws IOException {
    assertThat(describe(HEADER + "\n\n \t\r\n" + STEP + "\n"))
        .containsExactly(HEADER + "\n", "BLANK_LINE 1", "BLANK_LINE 4", STEP + "\n");
  }

  @Test
  void torn_tail_is_a_gap() throws IOException {
    assertThat(describe(HEADER + "\n{\"ev")).containsExactly(HEADER + "\n", "TORN_TAIL 4");
    assertThat(describe(HEADER + "\n{\"ev\0\0"))
        .containsExactly(HEADER + "\n", "TORN_TAIL 4", "NUL_RUN 2");
    assertThat(describe(HEADER + "\n ")).containsExactly(HEADER + "\n", "TORN_TAIL 1");
    assertThat(describe(HEADER + "\n" + STEP + "{\"ev"))
        .containsExactly(HEADER + "\n", STEP, "TORN_TAIL 4");
  }

  @Test
  void anything_else_is_malformed() throws IOException {
    assertThat(describe(HEADER + "\noops\n[1]\n{\"a\":1,\"a\":2}\n" + STEP + "}\n" + STEP + "\n"))
        .containsExactly(
            HEADER + "\n",
            "MALFORMED 5",
            "MALFORMED 4",
            "MALFORMED 14",
            STEP,
            "MALFORMED 2",
            STEP + "\n");
  }

  @Test
  void line_that_is_too_long_is_a_gap() throws IOException {
    int length = LineEncoder.MAX_LINE_BYTES + 1;
    String longLine = "{\"a\":\"" + "x".repeat(length - 8) + "\"}";
    assertThat(describe(HEADER + "\n" + longLine + "\n" + longLine + "\n" + STEP + "\n" + longLine))
        .containsExactly(
            HEADER + "\n",
            "TOO_LONG " + (length + 1),
            "TOO_LONG " + (length + 1),
            STEP + "\n",
            "TOO_LONG " + length);
  }

  @Test
  void gap_says_where_it_is_and_what_is_wrong() throws IOException {
    List<Salvaged> pieces = salvage(bytes(HEADER + "\n{\"a\":tr" + STEP + "\n"));
    Position second = new Position(2, HEADER.length() + 1);

    assertThat(pieces.get(1)).isInstanceOfSatisfying(Gap.class, gap -> {
      assertThat(gap.position()).isEqualTo(second);
      assertThat(gap.detail()).contains("byte");
    });
    assertThat(pieces.get(2)).isInstanceOfSatisfying(Salvaged.Line.class, line -> {
      assertThat(line.line().event()).isInstanceOf(StepComplete.class);
      assertThat(line.position()).isEqualTo(new Position(2, second.offset() + 7, second.offset()));
    });
  }

  @Test
  void each_kind_of_gap_is_tested() {
    assertThat(GapKind.values()).hasSize(9);
  }

  @Test
  void log_on_the_real_disk_is_salvaged() throws IOException {
    Path log = Files.writeString(directory.resolve("log"), HEADER + STEP);
    try (SalvageReader reader = LogRecovery.of(log).salvage()) {
      assertThat(reader).hasSize(3);
      assertThat(reader.read()).isNull();
    }
    assertThatThrownBy(() -> LogRecovery.of(directory.resolve("other")).salvage())
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void hostile_line_is_read_in_time_in_proportion_to_its_length() throws IOException {
    for (String unit : List.of("{", "{\"", "}", "{}", "\\\"", "{\"event\":", "\"}", "[{")) {
      byte[] line = bytes(unit.repeat((1 << 18) / unit.length()));
      assertThat(salvage(line)).isNotEmpty();
    }
  }

  /** Gaps in words, and lines as they are. */
  private static List<String> describe(String log) throws IOException {
    return salvage(bytes(log)).stream().map(SalvageTest::describe).toList();
  }

  private static String describe(Salvaged piece) {
    if (piece instanceof Gap gap) {
      return gap.kind() + " " + gap.bytes();
    }
    Salvaged.Line line = (Salvaged.Line) piece;
    String text = new String(line.line().bytes(), StandardCharsets.UTF_8);
    return text + (line.lineFeed() ? "\n" : "");
  }

  static List<Salvaged> salvage(byte[] log) throws IOException {
    List<Salvaged> pieces = new ArrayList<>();
    try (SalvageReader reader = LogRecovery.of(DiskFiles.of(LOG, log), LOG).salvage()) {
      for (Salvaged piece = reader.read(); piece != null; piece = reader.read()) {
        pieces.add(piece);
      }
    }
    return pieces;
  }
}
