package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalJsonTest {

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "`{\"b\": 1, \"a\": 1e2}` | `{\"a\":100.0,\"b\":1}`",
        "`[ ]`                    | `[]`",
        "`{ }`                    | `{}`",
        "`\"\\u0041\\/\\u001F\"`  | `\"A/\\u001f\"`",
        "`{\"a\\\"b\":0}`         | `{\"a\\\"b\":0}`",
        "-0                       | -0.0",
        "-1                       | -1",
        "18446744073709551615     | 18446744073709551615",
        "18446744073709551616     | 1.8446744073709552e+19",
        "-9223372036854775808     | -9223372036854775808",
        "-9223372036854775809     | -9.223372036854776e+18",
        "9999999999999999999      | 9999999999999999999",
        "99999999999999999999     | 1e+20",
        "1.0                      | 1.0",
        "1.50                     | 1.5",
        "1e-400                   | 0.0",
        "-1e-400                  | -0.0",
      },
      delimiter = '|')
  void golden_pairs(String text, String canonical) {
    assertThat(CanonicalJson.SERDE.text(JsonText.parse(text))).isEqualTo(canonical);
  }

  @Test
  void names_are_sorted_by_code_point() {
    // by UTF-16 code unit the emoji would come before U+FB33
    assertThat(
            CanonicalJson.SERDE.text(JsonObject.of("\ud83d\ude02", 1, "\ufb33", 2, "b", 3, "", 4)))
        .isEqualTo("{\"\":4,\"b\":3,\"\ufb33\":2,\"\ud83d\ude02\":1}");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 511, 512, 513, 1_023, 1_024, 1_025, 2_047, 2_048, 2_049, 100_000})
  void long_text_is_written_whole(int length) {
    for (String filling : new String[] {"x", "\n", "\u0001", "\u00e9", "\u20ac", "\ud83d\ude02"}) {
      for (String shift : new String[] {"", "y"}) {
        String text = shift + filling.repeat(length);
        byte[] canonical = CanonicalJson.SERDE.bytes(JsonString.of(text));

        assertThat(JsonText.parse(canonical).asString()).isEqualTo(text);
        assertThat(canonical)
            .isEqualTo(JsonString.of(text).toString().getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  @Test
  void form_does_not_depend_on_the_locale() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));

      assertThat(CanonicalJson.SERDE.text(JsonText.parse("[1234567, 1.5, \"\\u0001\"]")))
          .isEqualTo("[1234567,1.5,\"\\u0001\"]");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void canonicalizations_are_known_by_their_names() {
    assertThat(Canonicalization.find(null)).isEqualTo(Canonicalization.SERDE);
    for (Canonicalization known : Canonicalization.values()) {
      assertThat(Canonicalization.find(known.id())).isEqualTo(known);
    }
    assertThat(Canonicalization.find("")).isNull();
    assertThat(Canonicalization.find("SERDE")).isNull();
    assertThat(Canonicalization.find("rot13")).isNull();
  }
}
