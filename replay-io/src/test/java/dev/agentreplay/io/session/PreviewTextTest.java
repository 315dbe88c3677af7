package dev.agentreplay.io.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Preview;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Differential: the preview of canonical JSON, of which only the ends are read, against the rule.
 */
class PreviewTextTest {

  private static final String[] CHARACTERS = {
    "a", "\"", "\\", "\u0001", "\u00e9", "\u20ac", "\ud83d\ude00", "\u007f", "\n"
  };

  @Property(tries = 300)
  void preview_of_a_long_value_is_that_of_all_of_it(
      @ForAll @IntRange(min = 1, max = 30_000) int length, @ForAll long seed) {
    StringBuilder text = new StringBuilder();
    java.util.Random random = new java.util.Random(seed);
    int kinds = 1 + random.nextInt(CHARACTERS.length);
    int first = random.nextInt(CHARACTERS.length);
    for (int i = 0; i < length; i++) {
      text.append(CHARACTERS[(first + random.nextInt(kinds)) % CHARACTERS.length]);
    }
    assertIsPreview(JsonValue.of(text.toString()), text.toString());
    JsonArray array = JsonArray.of(text.toString());
    assertIsPreview(array, CanonicalJson.SERDE.text(array));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\\", "\ud83d\ude00", "\u0001", "\""})
  void text_of_one_character_is_cut_between_two_of_them(String character) {
    for (int length = 7_990; length < 8_010; length++) {
      String text = "a".repeat(length % 7) + character.repeat(length);
      assertIsPreview(JsonValue.of(text), text);
    }
  }

  private static void assertIsPreview(JsonValue value, String text) {
    PreviewText preview = PreviewText.ofJson(CanonicalJson.SERDE.bytes(value));
    assertThat(preview).isNotNull();
    assertThat(preview.is(Preview.ofOutput(text))).isTrue();
    assertThat(preview.is(Preview.ofOutput(text) + "x")).isFalse();
  }
}
