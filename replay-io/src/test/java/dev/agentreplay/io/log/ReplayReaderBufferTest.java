package dev.agentreplay.io.log;

import static dev.agentreplay.io.log.TestLogs.HEADER;
import static dev.agentreplay.io.log.TestLogs.STEP;
import static dev.agentreplay.io.log.TestLogs.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.log.TestLogs.Outcome;
import dev.agentreplay.model.finding.Position;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines that do not fit the buffer, and streams that do not fill it. */
class ReplayReaderBufferTest {

  @ParameterizedTest
  @ValueSource(ints = {65_534, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073, 200_000})
  void line_of_this_length_is_read_at_any_position(int length) throws IOException {
    String start = "{\"event\":\"Note\",\"text\":\"";
    String large = start + "x".repeat(length - start.length() - 2) + "\"}";
    assertThat(bytes(large)).hasSize(length);

    for (List<String> lines : List.of(
        List.of(large), List.of(HEADER, large, STEP), List.of(large, HEADER, large, large, STEP))) {
      List<Outcome> outcomes = TestLogs.readAll(bytes(String.join("\n", lines) + "\n"));
      assertThat(outcomes).extracting(Outcome::text).isEqualTo(lines);
      long offset = 0;
      for (int i = 0; i < lines.size(); i++) {
        assertThat(outcomes.get(i).position()).isEqualTo(new Position(i + 1, offset));
        offset += lines.get(i).length() + 1;
      }
    }
  }

  @Test
  void very_many_short_lines_are_read_in_order() throws IOException {
    int many = 100_000;
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < many; i++) {
      log.append("{\"event\":\"N\",\"n\":").append(i).append("}\n");
    }
    long offset = 0;
    int read = 0;
    try (ReplayReader reader = TestLogs.reader(bytes(log.toString()))) {
      for (ReplayLine line : reader) {
        assertThat(line.json().get("n").asLong()).isEqualTo(read);
        read++;
        assertThat(line.position()).isEqualTo(new Position(read, offset));
        offset += line.bytes().length + 1;
      }
    }
    assertThat(read).isEqualTo(many);
  }

  @Test
  void stream_that_yields_one_byte_at_a_time_is_read_the_same() throws IOException {
    byte[] log = bytes(HEADER + "\njunk\n" + "{\"a\":\"" + "y".repeat(70_000) + "\"}\n" + STEP);
    InputStream slow = new FilterInputStream(new ByteArrayInputStream(log)) {
      @Override
      public int read(byte[] buffer, int offset, int length) throws IOException {
        return super.read(buffer, offset, Math.min(length, 1));
      }
    };
    assertThat(TestLogs.readAll(slow)).isEqualTo(TestLogs.readAll(log));
  }
}
