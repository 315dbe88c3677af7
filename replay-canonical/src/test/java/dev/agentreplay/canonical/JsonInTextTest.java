package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects and arrays in texts, and pointers that continue into them. */
class JsonInTextTest {

  private static final JsonValue ROOT = JsonText.parse(
      """
      {"a":"{\\"b\\":[1,{\\"c\\":\\"[7]\\"}]}","s":"12","t":"\\"x\\"","0":"[1","o":{"p":" [2]\\n"}}
      """);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /a/b/0     | 1
          /a/b/1     | {"c":"[7]"}
          /a/b/1/c   | "[7]"
          /a/b/1/c/0 | 7
          /o/p/0     | 2
          /s         | "12"
          """)
  void pointer_continues_into_text(String pointer, String expected) {
    assertThat(JsonText.find(ROOT, JsonPointer.parse(pointer))).isEqualTo(JsonText.parse(expected));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/b", "/a/c", "/a/b/2", "/a/b/0/x", "/a/b/01", "/a/b/-", "/s/0", "/t/0", "/0/0"})
  void place_that_does_not_exist_is_not_found(String pointer) {
    assertThat(JsonText.find(ROOT, JsonPointer.parse(pointer))).isNull();
  }

  @Test
  void root_and_text_are_found_as_they_are() {
    assertThat(JsonText.find(ROOT, JsonPointer.ROOT)).isSameAs(ROOT);
    assertThat(JsonText.find(ROOT, JsonPointer.parse("/a"))).isSameAs(ROOT.at("/a"));
    assertThat(JsonText.find(JsonValue.of(" {\"x\":1}"), JsonPointer.parse("/x")))
        .isEqualTo(JsonValue.of(1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "1",
        "\"{}\"",
        "null",
        "true",
        "{",
        "[1,]",
        "{\"a\":1,\"a\":1}",
        "{} x",
        "x {}",
        "\u00a0{}",
        "\ufeff{}",
        "{'a':1}",
        "[NaN]",
        "{\"a\":\"\ud800\"}",
        "\t"
      })
  void text_that_is_not_strictly_an_object_or_array_holds_none(String text) {
    assertThat(JsonText.parseContainer(text)).isNull();
  }

  @Test
  void object_or_array_is_parsed_with_white_space_around_it_and_within_the_limits() {
    assertThat(JsonText.parseContainer(" \t\r\n{\"a\":1}\n")).isEqualTo(JsonObject.of("a", 1));
    assertThat(JsonText.parseContainer("[".repeat(1000) + "]".repeat(1000))).isNotNull();
    assertThat(JsonText.parseContainer("[".repeat(1001) + "]".repeat(1001))).isNull();
  }
}
