package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.testkit.TestData;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recorded sessions, of which some are kept with the tests. */
class RecordedSessionsTest {

  @ParameterizedTest
  @CsvSource({
    "task-01_trial-2, EVENT, 7",
    "task-18_trial-1, EVENT, 11",
    "20251223-125618, TYPE, 5",
    "20251223-154703, TYPE, 3"
  })
  void every_line_is_read_without_findings_and_written_back(
      String session, Dialect dialect, int lines) {
    String log = TestData.text("/sessions/" + session + "/REPLAY.jsonl");

    assertThat(log.lines()).hasSize(lines);
    assertReadAndWrittenBack(log, dialect);
  }

  static void assertReadAndWrittenBack(String log, Dialect dialect) {
    JsonObject first = Lines.object(log.substring(0, log.indexOf('\n')));
    assertThat(Dialect.detect(first)).isEqualTo(dialect);
    StringBuilder written = new StringBuilder();
    for (String line : log.split("\n")) {
      Decoded decoded = Objects.requireNonNull(Lines.decode(dialect, line));
      assertThat(decoded.findings()).as(line).isEmpty();
      assertThat(decoded.event().kind()).as(line).isNotEqualTo(EventKind.UNKNOWN);
      written.append(Lines.encode(dialect, decoded.event())).append('\n');
    }
    assertThat(written.toString()).isEqualTo(log);
  }
}
