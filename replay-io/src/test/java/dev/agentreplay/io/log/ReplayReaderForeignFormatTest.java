package dev.agentreplay.io.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading a file other than a log. */
class ReplayReaderForeignFormatTest {

  private static final String HEADER =
      "{\"created_at\":\"2026-01-13T10:00:00Z\",\"event\":\"ReplayHeader\",\"producer\":\"p\","
          + "\"replay_version\":1}\n";
  private static final String CODEX = "{\"type\":\"session_meta\",\"payload\":{\"id\":\"x\"}}\n";
  private static final String HAR = "{\n  \"log\": {\n    \"entries\": []\n  }\n}\n";

  @Test
  void first_line_that_cannot_be_read_tells_what_the_file_looks_like() throws IOException {
    try (ReplayReader reader = reader(HAR)) {
      assertThatExceptionOfType(ReplayFormatException.class)
          .isThrownBy(reader::read)
          .withMessageEndingWith("; the file looks like a HAR archive")
          .satisfies(e -> {
            assertThat(e.code()).isEqualTo(FindingCode.MALFORMED_LINE);
            assertThat(e.position()).isEqualTo(new Position(1, 1, 0));
            assertThat(e.toFinding().message()).endsWith("; the file looks like a HAR archive");
          });
      assertThat(reader.foreignFormat()).isEqualTo("a HAR archive");
      assertThatExceptionOfType(ReplayFormatException.class)
          .isThrownBy(reader::read)
          .withMessageEndingWith("; the file looks like a HAR archive");
      assertThat(reader.foreignFormat()).isEqualTo("a HAR archive");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`[{\"role\":\"user\"}]` | a JSON array of objects",
        "`\n{\"log\":{\"entries\":[]}}` | a HAR archive",
        "`<html>` | an HTML page",
        "`{\"messages\":[{\"role\":\"user\"},` | a log of chat completions"
      })
  void file_is_recognized_with_or_without_line_feed(String text, String words) throws IOException {
    for (String end : new String[] {"", "\n"}) {
      try (ReplayReader reader = reader(text + end)) {
        assertThatExceptionOfType(ReplayFormatException.class)
            .isThrownBy(reader::read)
            .withMessageEndingWith("; the file looks like " + words);
      }
    }
  }

  @Test
  void first_line_other_than_an_event_is_read_and_the_format_of_the_file_reported()
      throws IOException {
    try (ReplayReader reader = reader(CODEX + HEADER)) {
      assertThat(reader.foreignFormat()).isNull();
      assertThat(reader.read().event().kind()).isEqualTo(EventKind.UNKNOWN);
      assertThat(reader.foreignFormat()).isEqualTo("a Codex transcript, which replay import reads");
      assertThat(reader.read()).isNotNull();
      assertThat(reader.foreignFormat()).isEqualTo("a Codex transcript, which replay import reads");
      assertThat(reader.read()).isNull();
    }
  }

  @Test
  void later_lines_tell_nothing() throws IOException {
    try (ReplayReader reader = reader(HEADER + CODEX + HAR)) {
      reader.read();
      reader.read();
      assertThat(reader.foreignFormat()).isNull();
      assertThatExceptionOfType(ReplayFormatException.class)
          .isThrownBy(reader::read)
          .withMessageNotContaining("looks like");
      assertThat(reader.foreignFormat()).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"event\":\"ReplayHeader\"",
        "{\"event\":\"ReplayHeader\"}",
        "{\"event\":\"Handoff\"}",
        "{\"type\":\"ToolCall\",\"sessionId\":\"x\",\"parentUuid\":null}",
        "{}",
        "hello",
        "",
        "\n"
      })
  void what_may_be_a_log_is_not_said_to_be_something_else(String text) throws IOException {
    try (ReplayReader reader = reader(text)) {
      try {
        reader.read();
      } catch (ReplayFormatException e) {
        assertThat(e).message().doesNotContain("looks like");
      }
      assertThat(reader.foreignFormat()).isNull();
    }
  }

  private static ReplayReader reader(String text) {
    return ReplayReader.of(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "file");
  }
}
