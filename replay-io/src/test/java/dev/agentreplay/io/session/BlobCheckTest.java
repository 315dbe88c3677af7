package dev.agentreplay.io.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.JsonArbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Differential: the length of a text, counted in its canonical JSON, against the text. */
class BlobCheckTest {

  @Provide
  static Arbitrary<String> texts() {
    return JsonArbitraries.texts();
  }

  @Property
  void length_of_a_text_is_the_number_of_its_code_points(@ForAll("texts") String text) {
    assertLength(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\"",
        "\\",
        "\\u0041",
        "\u0001u",
        "\n\t\u007f",
        "\u00e9\u20ac",
        "\ud83d\ude00\ud83d\ude00"
      })
  void length_counts_escaped_and_encoded_characters_once(String text) {
    assertLength(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "null", "[]", "{\"a\":\"b\"}", "[\"a\"]"})
  void value_that_is_not_a_text_has_no_length(String json) {
    assertThat(BlobCheck.Sound.of(json.getBytes(UTF_8)).textLength()).isNull();
  }

  private static void assertLength(String text) {
    byte[] json = CanonicalJson.SERDE.bytes(JsonValue.of(text));
    assertThat(BlobCheck.Sound.of(json).textLength())
        .isEqualTo(text.codePointCount(0, text.length()));
  }
}
