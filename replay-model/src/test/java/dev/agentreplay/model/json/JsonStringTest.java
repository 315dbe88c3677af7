package dev.agentreplay.model.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonStringTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"", "x", "\u0000", "\ud83d\ude02", "a\ud83d\ude02b\udbff\udfff", "\uffff"})
  void well_formed_text_is_kept(String text) {
    assertThat(JsonString.of(text).asString()).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "\ud800, U+D800, 0",
    "ab\udc00, U+DC00, 2",
    "\udc00\ud800, U+DC00, 0",
    "\ud83d\ud83d\ude02, U+D83D, 0",
    "\ud83d\ude02\ude02, U+DE02, 2",
    "\ud83dx, U+D83D, 0",
  })
  void lone_surrogate_is_refused(String text, String codeUnit, int index) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonString.of(text))
        .withMessage("text has a lone surrogate " + codeUnit + " at index " + index);
    assertThatIllegalArgumentException().isThrownBy(() -> JsonValue.of(text));
  }

  @Test
  void null_is_refused() {
    assertThatThrownBy(() -> JsonString.of(null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void prints_with_the_shortest_escapes() {
    assertThat(JsonString.of("\"\\/\b\f\n\r\t\u0000\u001f\u007f\u0080\u2028\u00e9\ud83d\ude02"))
        .hasToString(
            "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\u007f\u0080\u2028\u00e9\ud83d\ude02\"");
  }
}
