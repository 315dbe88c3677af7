package dev.agentreplay.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.PlainText;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The output of every command is free of control characters for a terminal. */
class PlainOutputTest {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream raw = new PrintStream(bytes, false, StandardCharsets.UTF_8);

  @Test
  void no_character_but_ends_of_lines_and_tabs_passes_that_is_not_seen() {
    PrintStream text = PlainOutput.text(raw, true);
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      text.print(Character.toString(c));
      text.print("a");
    }
    assertThat(printed().codePoints())
        .allMatch(c -> PlainText.isShown(c) || c == '\n' || c == '\t')
        .hasSize(2 * (Character.MAX_CODE_POINT + 1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u001b[2J", "\u001b[8m", "\u001b[5m", "\u001b[7m", "\u001b[30m", "\u001b[38;5;0m",
        "\u001b[1", "\u001b", "\u001b]0;title\u0007", "\u009b31m", "\rreplay: valid", "a\r"
      })
  void sequences_that_no_report_has_are_shown_where_there_are_colors(String hostile) {
    PlainOutput.text(raw, true).append(hostile).flush();
    assertThat(printed()).isEqualTo(PlainText.of(hostile));
  }

  @Test
  void styles_of_reports_pass_where_there_are_colors_and_only_there() {
    Style style = new Style(true);
    String report = style.bold("b") + style.dim("d") + style.good("g") + style.bad("r")
        + style.warn("w") + style.name("n") + "\r\n";
    PlainOutput.text(raw, true).print(report);
    assertThat(printed()).isEqualTo(report);
    bytes.reset();
    PlainOutput.text(raw, false).print(report);
    assertThat(printed()).doesNotContain("\u001b").contains("␛[1mb␛[0m").endsWith("\r\n");
  }

  @Test
  void text_that_comes_in_pieces_is_the_same() {
    String text = "é\u001b[31;1m漢\u001b[0m😀\u001b[8m\u202e❤\ufe0f\r\n\r\u009b\u001b";
    PrintStream whole = PlainOutput.text(raw, true);
    whole.print(text);
    whole.flush();
    String expected = printed();
    bytes.reset();
    PrintStream pieces = PlainOutput.text(raw, true);
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      pieces.write(b);
    }
    pieces.flush();
    assertThat(printed()).isEqualTo(expected).contains("é\u001b[31;1m漢").doesNotContain("\u202e");
  }

  @Test
  void json_is_the_same_json_and_has_no_character_that_is_not_seen() {
    StringBuilder all = new StringBuilder();
    for (int c = 0; c <= Character.MAX_CODE_POINT; c += c < 0x20000 ? 1 : 251) {
      if (Character.getType(c) != Character.SURROGATE) {
        all.appendCodePoint(c);
      }
    }
    JsonObject json = JsonObject.of("text", all.toString(), "emoji", "❤\ufe0f");
    PlainOutput.json(raw).print(json + "\n");
    assertThat(JsonText.parse(printed())).isEqualTo(json);
    assertThat(printed().stripTrailing().codePoints()).allMatch(PlainText::isShown);
    assertThat(printed()).contains("\\u007f\\u0080", "\\u009b", "\\u202e", "❤\\ufe0f");
  }

  @Test
  void broken_utf8_is_shown_as_such() {
    PrintStream text = PlainOutput.text(raw, false);
    text.write(new byte[] {'a', (byte) 0xc3, 'b', (byte) 0xff, (byte) 0xe2, (byte) 0x82}, 0, 6);
    text.flush();
    assertThat(printed()).isEqualTo("a\ufffdb\ufffd\ufffd");
  }

  private String printed() {
    raw.flush();
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
