package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentreplay.canonical.JsonSyntaxException.Reason;
import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents with a byte too few, too many or of another encoding, by both entries. */
class TextFaultsTest {

  /** All bytes are tried with {@code -Dreplay.effort=5}. */
  private static final int STRIDE = Integer.getInteger("replay.effort", 1) < 5 ? 10 : 1;

  private static final byte[] RICH = utf8("{ \"z\" : [ 1.50 , -0 , 12345678901234567 , 1e-7 ] ,\n"
      + "\t\"a\\\"\\u00e9\\ud83d\\ude02\u20ac\" : { \"b\" : true , \"a\" : [ ] , \"\" : { } } ,\r"
      + "\"\ud83d\ude02\" : null , \"\ue000\" : \"\u00e9\\n\\/\" , \"n\" : false }");

  @Test
  void document_itself_is_accepted() {
    assertThat(Outcome.refusal(RICH)).isNull();
    assertThat(Outcome.of(CanonicalJson.JCS, RICH).summary()).matches("NUMBER_RANGE at [0-9]+");
  }

  @Test
  void every_truncation_is_refused_at_its_end_or_in_what_was_cut() {
    for (int length = 0; length < RICH.length; length++) {
      JsonSyntaxException refusal = Outcome.refusal(Arrays.copyOf(RICH, length));

      assertThat(refusal).as("first %d bytes", length).isNotNull();
      assertThat(refusal.reason()).isIn(Reason.SYNTAX, Reason.ENCODING);
      assertThat(refusal.offset()).isBetween(Math.max(0, length - 12), length);
    }
  }

  @Test
  void every_missing_beginning_is_refused() {
    for (int from = 1; from < RICH.length; from++) {
      byte[] rest = Arrays.copyOfRange(RICH, from, RICH.length);

      assertThat(Outcome.refusal(rest)).as("from byte %d", from).isNotNull();
    }
  }

  @Test
  void every_byte_alone_is_refused_unless_it_is_a_digit() {
    for (int b = 0; b < 256; b++) {
      byte[] text = {(byte) b};
      JsonSyntaxException refusal = Outcome.refusal(text);
      boolean space = b == ' ' || b == '\t' || b == '\n' || b == '\r';
      if (b >= '0' && b <= '9') {
        assertThat(refusal).isNull();
      } else {
        assertThat(refusal.reason()).isEqualTo(Reason.SYNTAX);
        assertThat(refusal.offset())
            .isEqualTo(space || b == '"' || b == '-' || b == '[' || b == '{' ? 1 : 0);
      }
    }
  }

  @Test
  void every_byte_inserted_anywhere_has_the_outcome_of_the_value() {
    int accepted = 0;
    for (int at = 0; at <= RICH.length; at++) {
      byte[] text = new byte[RICH.length + 1];
      System.arraycopy(RICH, 0, text, 0, at);
      System.arraycopy(RICH, at, text, at + 1, RICH.length - at);
      for (int b = at % STRIDE; b < 256; b += STRIDE) {
        text[at] = (byte) b;
        CanonicalJson json = Outcome.ROUNDING.get(b % 3);
        accepted += Outcome.of(json, text).isRefused() ? 0 : 1;
      }
    }
    assertThat(accepted).isBetween(3_000 / STRIDE, 8_000 / STRIDE);
  }

  @Test
  void every_byte_left_out_has_the_outcome_of_the_value() {
    for (int at = 0; at < RICH.length; at++) {
      byte[] text = new byte[RICH.length - 1];
      System.arraycopy(RICH, 0, text, 0, at);
      System.arraycopy(RICH, at + 1, text, at, text.length - at);
      Outcome.refusal(text);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"})
  void other_encodings_are_refused_with_and_without_a_mark(String encoding) {
    Charset charset = Charset.forName(encoding);
    for (String text : List.of("[]", "{\"a\":1}", "10", "true", "\"\u20ac\"", " 1")) {
      for (String mark : List.of("", "\ufeff")) {
        JsonSyntaxException refusal = Outcome.refusal((mark + text).getBytes(charset));

        assertThat(refusal.reason()).isEqualTo(Reason.ENCODING);
        assertThat(refusal.offset()).isZero();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "efbbbf, ENCODING at 0",
    "efbbbf31, ENCODING at 0",
    "efbb, SYNTAX at 0",
    "efbf, SYNTAX at 0",
    "fffe, ENCODING at 0",
    "feff, ENCODING at 0",
    "ffff31, ENCODING at 0",
    "ff, SYNTAX at 0",
    "fe31, SYNTAX at 0",
    "00, SYNTAX at 0",
    "0000, ENCODING at 0",
    "0031, ENCODING at 0",
    "3100, ENCODING at 0",
    "313100, SYNTAX at 2",
    "2000, ENCODING at 0",
    "202000, SYNTAX at 2",
    "31efbbbf, SYNTAX at 1",
    "5b5d00, SYNTAX at 2",
    "5b5d20202020, []",
    "5b5d0d0a, []",
    "5b5d0c, SYNTAX at 2",
    "5b5d0b, SYNTAX at 2",
    "5b5dc2a0, SYNTAX at 2",
    "5b5de28080, SYNTAX at 2",
    "5b5d5d, SYNTAX at 2",
    "5b5d2c, SYNTAX at 2",
    "5b5d2f2f, SYNTAX at 2",
    "5b5d1a, SYNTAX at 2",
    "227f22, \u007f",
  })
  void bytes_around_a_value(String hex, String expected) {
    byte[] text = HexFormat.of().parseHex(hex);
    String quoted = expected.equals("\u007f") ? "\"\u007f\"" : expected;
    for (CanonicalJson json : Outcome.PROFILES) {
      assertThat(Outcome.of(json, text).summary()).isEqualTo(quoted);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "80",
        "bf",
        "c0af",
        "c1bf",
        "c2",
        "e080af",
        "e09fbf",
        "e282",
        "eda080",
        "edbfbf",
        "f08080af",
        "f08fbfbf",
        "f09f98",
        "f4908080",
        "f5808080",
        "f8888080af",
        "fc8480808080",
        "fe",
        "ff"
      })
  void invalid_utf_8_is_refused_at_any_position(String hex) {
    byte[] sequence = HexFormat.of().parseHex(hex);
    for (int before = 0; before < 18; before++) {
      for (String end : List.of("\"", "", "yyyyyyyyy\"")) {
        for (String begin : List.of("\"", "{\"")) {
          ByteArrayOutputStream text = new ByteArrayOutputStream();
          text.writeBytes(utf8(begin + "x".repeat(before)));
          text.writeBytes(sequence);
          text.writeBytes(utf8(end));

          JsonSyntaxException refusal = Outcome.refusal(text.toByteArray());

          assertThat(refusal.reason()).isEqualTo(Reason.ENCODING);
          assertThat(refusal.offset()).isEqualTo(begin.length() + before);
        }
      }
    }
  }

  @Test
  void range_beyond_the_array_is_refused() {
    byte[] text = utf8("[1]");
    int[][] parts = {{-1, 3}, {0, 4}, {2, 1}, {4, 4}, {0, -1}};
    for (int[] part : parts) {
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> CanonicalJson.SERDE.hash(text, part[0], part[1]));
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> JsonText.parse(text, part[0], part[1]));
    }
    assertThat(CanonicalJson.SERDE.hash(text)).isEqualTo(CanonicalJson.SERDE.hash(text, 0, 3));
  }

  @Test
  void empty_part_is_refused() {
    assertThatExceptionOfType(JsonSyntaxException.class)
        .isThrownBy(() -> CanonicalJson.SERDE.hash(utf8("[1]"), 3, 3))
        .withMessage("expected a JSON value, found the end at byte 0");
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
