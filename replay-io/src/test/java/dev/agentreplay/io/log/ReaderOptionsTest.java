package dev.agentreplay.io.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.model.finding.FindingCode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReaderOptionsTest {

  @Test
  void defaults_read_every_line_that_is_written() {
    assertThat(ReaderOptions.defaults()).isEqualTo(new ReaderOptions(LineEncoder.MAX_LINE_BYTES));
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, (1 << 30) + 1})
  void length_of_a_line_out_of_range_is_refused(int bytes) {
    assertThatThrownBy(() -> ReaderOptions.defaults().withMaxLineBytes(bytes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxLineBytes must be from 1 to 1 GiB: " + bytes);
  }

  @Test
  void line_is_read_up_to_the_limit_and_no_further() throws IOException {
    byte[] log = TestLogs.bytes(TestLogs.STEP + "\n{}\n");
    int length = TestLogs.STEP.length();
    try (ReplayReader reader = reader(log, length)) {
      assertThat(reader.read()).isNotNull();
    }
    try (ReplayReader reader = reader(log, length - 1)) {
      assertThatThrownBy(reader::read)
          .isInstanceOfSatisfying(ReplayFormatException.class, e -> assertThat(e.code())
              .isEqualTo(FindingCode.MALFORMED_LINE))
          .hasMessage("log: line 1, byte 0: line is longer than %d bytes", length - 1);
      assertThat(reader.read()).isNotNull();
    }
  }

  @Test
  void line_beyond_the_default_limits_of_json_is_read_when_asked_for() throws IOException {
    int length = 65 << 20;
    String start = "{\"event\":\"Note\",\"text\":\"";
    byte[] log = TestLogs.bytes(start + "x".repeat(length - start.length() - 2) + "\"}\n");
    try (ReplayReader reader = reader(log, length)) {
      ReplayLine line = reader.read();
      assertThat(line).isNotNull();
      assertThat(line.length()).isEqualTo(length);
    }
  }

  private static ReplayReader reader(byte[] log, int maxLineBytes) {
    return ReplayReader.of(
        new ByteArrayInputStream(log),
        "log",
        ReaderOptions.defaults().withMaxLineBytes(maxLineBytes));
  }
}
