package dev.agentreplay.io.log;

import static dev.agentreplay.io.log.TestLogs.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.log.TestLogs.Outcome;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every truncation of a log: whole lines, and then a torn tail or a whole event. */
class ReplayReaderTruncationTest {

  private static final List<String> LINES = List.of(
      TestLogs.HEADER,
      "{\"event\":\"ToolResult\",\"exit_code\":null,\"id\":\"1\",\"latency_ms\":5,"
          + "\"output\":\"caf\u00e9 \ud83d\ude00 \\u001b[0m {}\",\"output_hash\":\"sha256:"
          + "0".repeat(64)
          + "\",\"step_utility\":0.0,\"t\":\"2026-01-13T10:00:01Z\"}",
      TestLogs.STEP);

  @Test
  void every_truncation_is_whole_lines_and_a_torn_tail_or_a_whole_event() throws IOException {
    byte[] log = bytes(String.join("\n", LINES) + "\n");
    for (int length = 0; length <= log.length; length++) {
      byte[] cut = Arrays.copyOf(log, length);
      int whole = count(cut, (byte) '\n');
      int tail = whole == 0 ? 0 : bytes(String.join("\n", LINES.subList(0, whole)) + "\n").length;
      boolean wholeEvent = whole < LINES.size() && length - tail == bytes(LINES.get(whole)).length;

      List<Outcome> outcomes = TestLogs.readAll(cut);

      for (int i = 0; i < whole; i++) {
        assertThat(outcomes.get(i).text()).isEqualTo(LINES.get(i));
      }
      if (length == tail) {
        assertThat(outcomes).as("cut after %d bytes", length).hasSize(whole);
      } else if (wholeEvent) {
        assertThat(outcomes).hasSize(whole + 1);
        assertThat(outcomes.get(whole))
            .isEqualTo(new Outcome(null, new Position(whole + 1, tail), LINES.get(whole)));
        assertThat(lastFindings(cut))
            .extracting(Finding::code)
            .containsExactly(FindingCode.NO_FINAL_NEWLINE);
      } else {
        assertThat(outcomes).as("cut after %d bytes", length).hasSize(whole + 1);
        Outcome torn = outcomes.get(whole);
        assertThat(torn.code()).isEqualTo(FindingCode.TORN_TAIL);
        assertThat(torn.position().line()).isEqualTo(whole + 1);
        assertThat(torn.position().offset()).isBetween((long) tail, (long) length);
        assertThat(torn.text()).contains("cut short after " + (length - tail) + " byte");
      }
    }
  }

  @Test
  void duplicate_key_in_the_tail_is_a_torn_tail() throws IOException {
    List<Outcome> outcomes = TestLogs.readAll(bytes(TestLogs.HEADER + "\n{\"a\":1,\"a\":2}"));
    assertThat(outcomes.get(1).code()).isEqualTo(FindingCode.TORN_TAIL);
  }

  @Test
  void tail_other_than_an_object_is_a_torn_tail() throws IOException {
    for (String tail : List.of(" ", "\r", "1", "[]", "\"s\"", "null", "\0")) {
      List<Outcome> outcomes = TestLogs.readAll(bytes(TestLogs.HEADER + "\n" + tail));
      assertThat(outcomes.get(1).code()).as("tail %s", tail).isEqualTo(FindingCode.TORN_TAIL);
      assertThat(outcomes.get(1).position().line()).isEqualTo(2);
    }
  }

  private static List<Finding> lastFindings(byte[] log) throws IOException {
    List<Finding> findings = List.of();
    try (ReplayReader reader = TestLogs.reader(log)) {
      for (ReplayLine line : reader) {
        findings = line.findings();
      }
    }
    return findings;
  }

  private static int count(byte[] bytes, byte wanted) {
    int count = 0;
    for (byte b : bytes) {
      count += b == wanted ? 1 : 0;
    }
    return count;
  }
}
