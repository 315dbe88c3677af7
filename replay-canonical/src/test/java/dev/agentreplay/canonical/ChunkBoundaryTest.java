package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentreplay.canonical.JsonSyntaxException.Reason;
import dev.agentreplay.model.ContentHash;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Strings are copied in chunks: the position in a chunk does not matter. */
class ChunkBoundaryTest {

  private static final int CHUNKS = 19;

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "``                 | ``",
        "`\\\"`             | `\\\"`",
        "`\\\\`             | `\\\\`",
        "`\\/`              | `/`",
        "`\\b\\f\\n\\r\\t`  | `\\b\\f\\n\\r\\t`",
        "`\\u0008\\u000C`   | `\\b\\f`",
        "`\\u0000\\u001F`   | `\\u0000\\u001f`",
        "`\\u0020\\u0022`   | ` \\\"`",
        "`\\u005c\\u007f`   | `\\\\\u007f`",
        "`\\u0080\\u07fF`   | `\u0080\u07ff`",
        "`\\u0800\\uFFFF`   | `\u0800\uffff`",
        "`\\ud800\\udc00`   | `\ud800\udc00`",
        "`\\udbff\\udfff`   | `\udbff\udfff`",
        "` !#[]~\u007f`     | ` !#[]~\u007f`",
        "`\u0080\u00e9`     | `\u0080\u00e9`",
        "`\u20ac\uffff`     | `\u20ac\uffff`",
        "`\ud83d\ude02`     | `\ud83d\ude02`",
        "`\u00e9\\n\u20ac`  | `\u00e9\\n\u20ac`",
      })
  void special_characters_are_copied_at_any_position(String special, String canonical) {
    for (int before = 0; before < CHUNKS; before++) {
      for (int after = 0; after < CHUNKS; after++) {
        String text = '"' + "x".repeat(before) + special + "y".repeat(after) + '"';
        String expected = '"' + "x".repeat(before) + canonical + "y".repeat(after) + '"';
        for (CanonicalJson json : Outcome.PROFILES) {
          assertThat(Outcome.of(json, text).summary()).isEqualTo(expected);
        }
        assertThat(
                Outcome.of(CanonicalJson.SERDE, "{" + text + ":" + text + "}").summary())
            .isEqualTo("{" + expected + ":" + expected + "}");
      }
    }
  }

  @Test
  void every_byte_of_a_string_is_copied_or_refused_at_any_position() {
    for (int b = 0; b < 256; b++) {
      if (b == '"' || b == '\\') {
        continue;
      }
      for (int before = 0; before < CHUNKS; before++) {
        byte[] text = utf8('"' + "x".repeat(before) + "?" + "y".repeat(9) + '"');
        text[1 + before] = (byte) b;
        // a zero there looks like UTF-16
        String expected = b == 0 && before == 0
            ? "ENCODING at 0"
            : b >= 0x80
                ? "ENCODING at " + (1 + before)
                : b < 0x20
                    ? "SYNTAX at " + (1 + before)
                    : new String(text, StandardCharsets.US_ASCII);

        assertThat(Outcome.of(CanonicalJson.SERDE, text).summary()).isEqualTo(expected);
      }
    }
  }

  @Test
  void two_special_bytes_in_one_chunk_are_both_seen() {
    for (String first : new String[] {"\\n", "\u00e9", "\\\"", "\\u00e9"}) {
      for (String second : new String[] {"\\n", "\u20ac", "\\\\"}) {
        for (int before = 0; before < 9; before++) {
          for (int between = 0; between < 9; between++) {
            String text = '"' + "x".repeat(before) + first + "y".repeat(between) + second + '"';

            assertThat(Outcome.of(CanonicalJson.SERDE, text).summary())
                .isEqualTo(text.replace("\\u00e9", "\u00e9"));
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"\"",
        "\"abcdefgh\"",
        "\"abc\\u00e9\"",
        "\"\u20ac\"",
        "[\"x\",1]",
        "12345678",
        "true",
        "{\"b\":1,\"a\":\"y\"}",
        "1.5e300",
        "[]"
      })
  void text_is_read_at_every_place_of_an_array(String text) {
    byte[] bytes = utf8(text);
    for (byte filling : new byte[] {'"', 'x', '0', '\\', ' ', -1, '}'}) {
      for (int from = 0; from < CHUNKS; from++) {
        for (int behind = 0; behind < 10; behind++) {
          byte[] larger = new byte[from + bytes.length + behind];
          Arrays.fill(larger, filling);
          System.arraycopy(bytes, 0, larger, from, bytes.length);
          for (CanonicalJson json : Outcome.PROFILES) {
            ContentHash expected = json.hash(bytes);

            assertThat(json.hash(larger, from, from + bytes.length)).isEqualTo(expected);
          }
          assertThat(JsonText.parse(larger, from, from + bytes.length))
              .isEqualTo(JsonText.parse(text));
        }
      }
    }
  }

  @Test
  void string_ends_with_the_text_though_the_array_is_longer() {
    for (int length = 0; length < CHUNKS; length++) {
      for (int from = 0; from < 9; from++) {
        byte[] larger = utf8("z".repeat(from) + '"' + "x".repeat(length) + "\"\"\"\"\"\"\"\"\"");
        int start = from;
        int end = from + 1 + length;
        JsonSyntaxException refusal = catchThrowableOfType(
            JsonSyntaxException.class, () -> CanonicalJson.SERDE.hash(larger, start, end));

        assertThat(refusal.reason()).isEqualTo(Reason.SYNTAX);
        assertThat(refusal.offset()).isEqualTo(1 + length);
        assertThat(refusal.detail()).endsWith("found the end");
        assertThat(catchThrowableOfType(
                JsonSyntaxException.class, () -> JsonText.parse(larger, start, end)))
            .hasMessage(refusal.getMessage());
      }
    }
  }

  @Test
  void nothing_behind_the_text_is_copied() {
    byte[] larger = utf8("\"abc" + "x".repeat(100_000));
    JsonSyntaxException refusal = catchThrowableOfType(
        JsonSyntaxException.class,
        () -> CanonicalJson.SERDE.withLimits(JsonLimits.defaults()).hash(larger, 0, 4));

    assertThat(refusal.offset()).isEqualTo(4);
    assertThat(refusal.detail()).endsWith("found the end");
  }

  @Test
  void sequences_and_escapes_end_with_the_text_though_the_array_is_longer() {
    for (String cut : new String[] {
      "\u00e9",
      "\u20ac",
      "\ud83d\ude02",
      "\\n",
      "\\u00e9",
      "\\ud83d\\ude02",
      "tru",
      "nul",
      "-",
      "1.",
      "1e"
    }) {
      byte[] whole = utf8((cut.matches("[a-z0-9.-]+") ? "" : "\"") + cut + "e0\"");
      for (int end = 0; end < whole.length - 3; end++) {
        int to = end;
        JsonSyntaxException expected = catchThrowableOfType(
            JsonSyntaxException.class, () -> JsonText.parse(Arrays.copyOf(whole, to)));
        JsonSyntaxException refusal = catchThrowableOfType(
            JsonSyntaxException.class, () -> CanonicalJson.SERDE.hash(whole, 0, to));
        if (expected != null) {
          assertThat(refusal).hasMessage(expected.getMessage());
        } else {
          assertThat(refusal).isNull();
        }
      }
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
