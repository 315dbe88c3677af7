package dev.agentreplay.model.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPointerTest {

  /** RFC 6901 section 5. */
  private static final JsonObject EXAMPLE = JsonObject.builder()
      .add("foo", JsonArray.of("bar", "baz"))
      .add("", JsonNumber.of(0))
      .add("a/b", JsonNumber.of(1))
      .add("c%d", JsonNumber.of(2))
      .add("e^f", JsonNumber.of(3))
      .add("g|h", JsonNumber.of(4))
      .add("i\\j", JsonNumber.of(5))
      .add("k\"l", JsonNumber.of(6))
      .add(" ", JsonNumber.of(7))
      .add("m~n", JsonNumber.of(8))
      .build();

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "/foo,   `[\"bar\",\"baz\"]`",
        "/foo/0, `\"bar\"`",
        "/,      0",
        "/a~1b,  1",
        "/c%d,   2",
        "/e^f,   3",
        "/g|h,   4",
        "/i\\j,  5",
        "/k\"l,  6",
        "`/ `,   7",
        "/m~0n,  8",
      })
  void examples_of_the_rfc(String pointer, String json) {
    assertThat(EXAMPLE.at(pointer)).hasToString(json);
  }

  @Test
  void empty_pointer_is_the_whole_value() {
    assertThat(EXAMPLE.at("")).isSameAs(EXAMPLE);
    assertThat(JsonNull.NULL.at("")).isSameAs(JsonNull.NULL);
  }

  @Test
  void escapes_are_read_once_and_in_the_right_order() {
    JsonObject object = JsonObject.of("~1", "tilde one", "/", "slash", "~", "tilde", "~~//", "all");

    assertThat(object.at("/~01")).hasToString("\"tilde one\"");
    assertThat(object.at("/~1")).hasToString("\"slash\"");
    assertThat(object.at("/~0")).hasToString("\"tilde\"");
    assertThat(object.at("/~0~0~1~1")).hasToString("\"all\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/01",
        "/00",
        "/-",
        "/3",
        "/-1",
        "/+1",
        "/1e0",
        "/",
        "/ 1",
        "/99999999999999999999",
        "/4294967296",
        "/\u0661",
        "/0/0",
        "/a"
      })
  void text_other_than_an_index_of_the_array_is_not_found(String pointer) {
    JsonValue array = JsonArray.of("zero", "one", "two");

    assertThat(array.find(pointer)).isNull();
    assertThatExceptionOfType(NoSuchElementException.class)
        .isThrownBy(() -> array.at(pointer))
        .withMessage("no value at \"" + pointer + "\"");
  }

  @Test
  void names_of_objects_are_never_indices() {
    JsonObject object = JsonObject.of("0", "a", "01", "b", "-", "c");

    assertThat(object.at("/01")).hasToString("\"b\"");
    assertThat(object.at("/-")).hasToString("\"c\"");
  }

  @Test
  void pointer_goes_through_objects_and_arrays() {
    JsonValue value = JsonObject.of("a", List.of(1, JsonObject.of("b", JsonObject.of("", null))));

    assertThat(value.at("/a/1/b/").isNull()).isTrue();
    assertThat(value.find("/a/1/b//")).isNull();
    assertThat(value.find("/a/1/c")).isNull();
    assertThat(value.find("/a/10")).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "foo/0", "#/a", " /a", "/~", "/a~", "/~2", "/x/~", "/missing/~2"})
  void text_other_than_a_pointer_is_refused(String pointer) {
    assertThatIllegalArgumentException().isThrownBy(() -> EXAMPLE.find(pointer));
    assertThatIllegalArgumentException().isThrownBy(() -> JsonNull.NULL.find(pointer));
  }

  @Test
  void pointer_is_read_and_written_with_escapes() {
    JsonPointer pointer = JsonPointer.ROOT.append("a/b").append(0).append("~1").append("");

    assertThat(pointer).hasToString("/a~1b/0/~01/");
    assertThat(JsonPointer.parse("/a~1b/0/~01/")).isEqualTo(pointer);
    assertThat(pointer.tokens()).containsExactly("a/b", "0", "~1", "");
    assertThat(JsonPointer.parse("")).isEqualTo(JsonPointer.ROOT).hasToString("");
    assertThat(JsonPointer.parse("/foo/1").find(EXAMPLE)).hasToString("\"baz\"");
  }
}
