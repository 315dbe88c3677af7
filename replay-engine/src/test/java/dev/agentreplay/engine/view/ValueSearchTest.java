package dev.agentreplay.engine.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.pattern.PathPattern;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The places of values in an event, and in the JSON texts that it holds. */
class ValueSearchTest {

  @ParameterizedTest
  @CsvSource({
    "/output/**, 42, /output/a/0",
    "/output/**, '{\"a\":[42]}', /output",
    "/**, 42, /output/a/0",
    "/output/**/0, 42, /output/a/0",
    "/output/a/**/0, 42, /output/a/0",
    "/output, 42, ",
    "/other/**, 42, ",
  })
  void any_number_of_names_is_none_or_names_in_the_json_of_a_text(
      String place, String value, String found) {
    ValueSearch search = new ValueSearch(PathPattern.parse(place), value, true, false);

    search.visit(JsonObject.of("output", "{\"a\":[42]}"));

    assertThat(search.pointer()).isEqualTo(found == null ? "" : found);
    assertThat(search.places()).isEqualTo(found == null ? 0 : 1);
  }

  @Test
  void texts_in_texts_are_searched_to_a_common_depth() {
    ValueSearch search = new ValueSearch(PathPattern.parse("/**"), "42", true, false);
    search.visit(JsonObject.of("output", nested("42", 9, 90), "other", "42"));
    assertThat(search.places()).isEqualTo(2);

    ValueSearch deep = new ValueSearch(PathPattern.parse("/**"), "42", true, false);
    deep.visit(JsonObject.of("output", nested("42", 18, 990), "other", "42"));
    assertThat(deep.places()).isEqualTo(1);
    assertThat(deep.pointer()).isEqualTo("/other");
  }

  /** A text that holds an array of arrays, the innermost of which holds such a text again. */
  private static String nested(String text, int rounds, int depth) {
    String nested = text;
    for (int i = 0; i < rounds; i++) {
      nested = "[".repeat(depth) + JsonString.of(nested) + "]".repeat(depth);
    }
    return nested;
  }
}
