package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentreplay.canonical.JsonSyntaxException.Reason;
import dev.agentreplay.model.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonParserNegativeTest {

  /** All bytes are tried with {@code -Dreplay.effort=5}. */
  private static final int STRIDE = Integer.getInteger("replay.effort", 1) < 5 ? 10 : 1;

  static List<String> documents() {
    return List.of(
        "{\"a\":[1,-2.5e+3,true,false,null],\"b\\u00e9\\n\":{\"\ud83d\ude02\":\"\u00e9\u20ac\"}}",
        "[{\"\":{}},[],\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\ud83d\\ude02\",0]",
        "\"only a string\"",
        "{\"event\":\"ToolCall\",\"id\":\"tc\",\"params\":{\"path\":\"x\"},\"tool\":\"read\"}");
  }

  @ParameterizedTest
  @MethodSource("documents")
  void every_truncation_is_refused(String document) {
    byte[] whole = utf8(document);
    for (int length = 0; length < whole.length; length++) {
      JsonSyntaxException refusal = refusal(Arrays.copyOf(whole, length));

      assertThat(refusal).as("first %d bytes", length).isNotNull();
      assertThat(refusal.offset()).isBetween(0, length);
    }
    assertThat(refusal(whole)).isNull();
  }

  @ParameterizedTest
  @MethodSource("documents")
  void every_changed_byte_is_parsed_or_refused(String document) {
    byte[] changed = utf8(document);
    int refused = 0;
    for (int i = 0; i < changed.length; i++) {
      byte original = changed[i];
      for (int other = i % STRIDE; other < 256; other += STRIDE) {
        changed[i] = (byte) other;
        // anything else that is thrown fails the test
        if (!Outcome.of(Outcome.ROUNDING.get(other % 3), changed).isRefused()) {
          JsonValue value = JsonText.parse(changed);
          assertThat(JsonText.parse(value.toString()).equals(value)).isTrue();
        } else {
          refused++;
        }
      }
      changed[i] = original;
    }
    assertThat(refused).isPositive();
  }

  static List<Arguments> errors() {
    return List.of(
        error("", Reason.SYNTAX, 0, "expected a JSON value, found the end"),
        error("  ", Reason.SYNTAX, 2, "expected a JSON value, found the end"),
        error("tru", Reason.SYNTAX, 0, "expected a JSON value, found 't'"),
        error("nulL", Reason.SYNTAX, 0, "expected a JSON value, found 'n'"),
        error("nullx", Reason.SYNTAX, 4, "expected nothing more after the value, found 'x'"),
        error("True", Reason.SYNTAX, 0, "expected a JSON value, found 'T'"),
        error("'a'", Reason.SYNTAX, 0, "expected a JSON value, found '''"),
        error("1 2", Reason.SYNTAX, 2, "expected nothing more after the value, found '2'"),
        error("{} {}", Reason.SYNTAX, 3, "expected nothing more after the value, found '{'"),
        error("01", Reason.SYNTAX, 1, "expected nothing more after the value, found '1'"),
        error("-", Reason.SYNTAX, 1, "expected a digit, found the end"),
        error("-x", Reason.SYNTAX, 1, "expected a digit, found 'x'"),
        error("+1", Reason.SYNTAX, 0, "expected a JSON value, found '+'"),
        error("[1.]", Reason.SYNTAX, 3, "expected a digit, found ']'"),
        error(".5", Reason.SYNTAX, 0, "expected a JSON value, found '.'"),
        error("1e+", Reason.SYNTAX, 3, "expected a digit, found the end"),
        error("1e+-1", Reason.SYNTAX, 3, "expected a digit, found '-'"),
        error("[1,]", Reason.SYNTAX, 3, "expected a JSON value, found ']'"),
        error("[1 2]", Reason.SYNTAX, 3, "expected ',' or ']' after an element, found '2'"),
        error("[1", Reason.SYNTAX, 2, "expected ',' or ']' after an element, found the end"),
        error("[", Reason.SYNTAX, 1, "expected a JSON value, found the end"),
        error("]", Reason.SYNTAX, 0, "expected a JSON value, found ']'"),
        error("{", Reason.SYNTAX, 1, "expected a name in quotes, found the end"),
        error("{a:1}", Reason.SYNTAX, 1, "expected a name in quotes, found 'a'"),
        error("{\"a\" 1}", Reason.SYNTAX, 5, "expected ':' after a name, found '1'"),
        error("{\"a\":}", Reason.SYNTAX, 5, "expected a JSON value, found '}'"),
        error("{\"a\":1,}", Reason.SYNTAX, 7, "expected a name in quotes, found '}'"),
        error("{\"a\":1]", Reason.SYNTAX, 6, "expected ',' or '}' after a member, found ']'"),
        error("\"abc", Reason.SYNTAX, 4, "expected '\"' at the end of a string, found the end"),
        error("\"\u00e9", Reason.SYNTAX, 3, "expected '\"' at the end of a string, found the end"),
        error("\"a\nb\"", Reason.SYNTAX, 2, "unescaped control character U+000A in a string"),
        error("\"\\x\"", Reason.SYNTAX, 2, "expected one of \"\\/bfnrtu after '\\', found 'x'"),
        error("\"\\", Reason.SYNTAX, 2, "expected one of \"\\/bfnrtu after '\\', found the end"),
        error(
            "\"\\u12g4\"",
            Reason.SYNTAX,
            5,
            "expected four hexadecimal digits after '\\u', found 'g'"),
        error(
            "\"\\u12",
            Reason.SYNTAX,
            5,
            "expected four hexadecimal digits after '\\u', found the end"),
        error("\"\\uD834\"", Reason.ENCODING, 1, "lone surrogate U+D834"),
        error("\"a\\uDD1E\"", Reason.ENCODING, 2, "lone surrogate U+DD1E"),
        error("\"\\uD834\\n\"", Reason.ENCODING, 1, "lone surrogate U+D834"),
        error("\"\\uD834\\u0041\"", Reason.ENCODING, 1, "lone surrogate U+D834"),
        error("\u00e9", Reason.SYNTAX, 0, "expected a JSON value, found byte 0xc3"),
        error("\u0000", Reason.SYNTAX, 0, "expected a JSON value, found byte 0x00"),
        error("\f1", Reason.SYNTAX, 0, "expected a JSON value, found byte 0x0c"),
        error("\ufeff{}", Reason.ENCODING, 0, "byte order mark"),
        error(
            "{}\ufeff", Reason.SYNTAX, 2, "expected nothing more after the value, found byte 0xef"),
        error("[1e400]", Reason.NUMBER_RANGE, 1, "number is beyond the range of a double: 1e400"),
        error("{\"a\":1,\"b\":2,\"a\":3}", Reason.DUPLICATE_KEY, 13, "duplicate name \"a\""),
        error("{\"a\":{\"b\":1, \"\\u0062\":2}}", Reason.DUPLICATE_KEY, 13, "duplicate name \"b\""),
        error("{\"\":1,\"\":1}", Reason.DUPLICATE_KEY, 6, "duplicate name \"\""));
  }

  private static Arguments error(String text, Reason reason, int offset, String detail) {
    return Arguments.of(text, reason, offset, detail);
  }

  @ParameterizedTest
  @MethodSource("errors")
  void error_says_why_where_and_what(String text, Reason reason, int offset, String detail) {
    JsonSyntaxException refusal = refusal(utf8(text));

    assertThat(refusal.detail()).isEqualTo(detail);
    assertThat(refusal.offset()).isEqualTo(offset);
    assertThat(refusal.reason()).isEqualTo(reason);
    assertThat(refusal).hasMessage(detail + " at byte " + offset);
  }

  @Test
  void long_names_and_numbers_are_shortened_in_messages() {
    String name = "n".repeat(500);

    assertThat(refusal(utf8("{\"" + name + "\":1,\"" + name + "\":2}")).detail())
        .isEqualTo("duplicate name \"" + "n".repeat(59) + "...");
    assertThat(refusal(utf8("1" + "0".repeat(500))).detail())
        .isEqualTo("number is beyond the range of a double: 1" + "0".repeat(59) + "...");
  }

  @Test
  void duplicate_name_is_found_among_many() {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < 50; i++) {
      text.append("\"n").append(i).append("\":0,");
    }
    int offset = text.length();

    JsonSyntaxException refusal = refusal(utf8(text + "\"n3\":0}"));

    assertThat(refusal.reason()).isEqualTo(Reason.DUPLICATE_KEY);
    assertThat(refusal.offset()).isEqualTo(offset);
  }

  @Test
  void nesting_is_limited() {
    assertThat(JsonText.parse("[".repeat(1_000) + "]".repeat(1_000)).depth()).isEqualTo(1_000);
    assertThat(JsonText.parse("{\"a\":".repeat(999) + "{}" + "}".repeat(999)).depth())
        .isEqualTo(1_000);
    assertThat(JsonText.parse("[".repeat(1_000) + "1" + "]".repeat(1_000)).depth())
        .isEqualTo(1_000);
    for (String opening : List.of("[", "{\"a\":", "[{\"a\":")) {
      JsonSyntaxException refusal = refusal(utf8(opening.repeat(1_001)));
      assertThat(refusal.detail()).isEqualTo("nested deeper than 1000");
      assertThat(refusal.reason()).isEqualTo(Reason.LIMIT);
    }
    assertThat(refusal(utf8("[".repeat(1_001) + "]".repeat(1_001))).offset()).isEqualTo(1_000);
    assertThat(refusal(utf8("{\"a\":".repeat(1_001) + "1" + "}".repeat(1_001))).offset())
        .isEqualTo(5_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "80",
        "bf",
        "c0af",
        "c080",
        "c1bf",
        "c2",
        "c241",
        "c2c2",
        "e08080",
        "e09fbf",
        "e0a0",
        "e0a041",
        "e28241",
        "e282",
        "eda080",
        "edbfbf",
        "eda081edb080",
        "f0808080",
        "f08fbfbf",
        "f09080",
        "f0908041",
        "f0904180",
        "f0418080",
        "f4908080",
        "f5808080",
        "f8888080",
        "fc",
        "fe",
        "ff",
        "efbf"
      })
  void invalid_utf_8_is_refused(String hex) {
    byte[] sequence = HexFormat.of().parseHex(hex);
    byte[] text = new byte[sequence.length + 3];
    text[0] = '"';
    text[1] = 'a';
    System.arraycopy(sequence, 0, text, 2, sequence.length);
    text[text.length - 1] = '"';

    JsonSyntaxException refusal = refusal(text);

    assertThat(refusal.reason()).isEqualTo(Reason.ENCODING);
    assertThat(refusal.offset()).isEqualTo(2);
    assertThat(refusal.detail()).isEqualTo("invalid UTF-8, byte 0x" + hex.substring(0, 2));
  }

  @ParameterizedTest
  @CsvSource({
    "c280, 128",
    "dfbf, 2047",
    "e0a080, 2048",
    "ed9fbf, 55295",
    "ee8080, 57344",
    "efbfbf, 65535",
    "f0908080, 65536",
    "f48fbfbf, 1114111",
    "efbbbf, 65279"
  })
  void utf_8_at_the_edges_is_read(String hex, int codePoint) {
    byte[] sequence = HexFormat.of().parseHex("22" + hex + "22");

    assertThat(JsonText.parse(sequence).asString()).isEqualTo(Character.toString(codePoint));
    assertThat(CanonicalJson.SERDE.bytes(JsonText.parse(sequence))).isEqualTo(sequence);
  }

  @Test
  void part_of_an_array_is_read_and_offsets_count_from_its_beginning() {
    byte[] bytes = utf8("xx{\"a\":1}yy");

    assertThat(JsonText.parse(bytes, 2, 9)).hasToString("{\"a\":1}");
    JsonSyntaxException cut =
        catchThrowableOfType(JsonSyntaxException.class, () -> JsonText.parse(bytes, 2, 8));
    assertThat(cut.offset()).isEqualTo(6);
    assertThat(cut.detail()).endsWith("found the end");
    JsonSyntaxException more =
        catchThrowableOfType(JsonSyntaxException.class, () -> JsonText.parse(bytes, 2, 10));
    assertThat(more.offset()).isEqualTo(7);
    assertThatThrownBy(() -> JsonText.parse(bytes, 2, 12))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> JsonText.parse(bytes, -1, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @ParameterizedTest
  @CsvSource({"'\"\ud800\"', 1", "'\"\u00e9\udc00\"', 3", "'\"\ud83d\ude02\ud83d', 5"})
  void lone_surrogate_in_a_java_string_is_refused(String text, int offset) {
    JsonSyntaxException refusal =
        catchThrowableOfType(JsonSyntaxException.class, () -> JsonText.parse(text));

    assertThat(refusal.reason()).isEqualTo(Reason.ENCODING);
    assertThat(refusal.offset()).isEqualTo(offset);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "hello", "{\"a\":1,}", "{\"a\":1,\"a\":2}", "1e400", "NaN", "\ufeff1"})
  void text_of_a_model_that_is_not_json_is_taken_as_a_string(String text) {
    assertThat(JsonText.parseOrString(text).asString()).isEqualTo(text);
  }

  @Test
  void text_of_a_model_that_is_json_is_parsed() {
    assertThat(JsonText.parseOrString(" {\"a\": 1}")).hasToString("{\"a\":1}");
    assertThat(JsonText.parseOrString("\"x\"").asString()).isEqualTo("x");
    assertThatThrownBy(() -> JsonText.parseOrString("\ud800"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static JsonSyntaxException refusal(byte[] text) {
    return Outcome.refusal(text);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
