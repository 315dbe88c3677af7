package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.HashExplanation.ProducerConvention;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.TestData;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Texts of Python, node and serde_json, compared with the profiles of their conventions. */
class ProducerFormsTest {

  static List<JsonObject> rows() {
    return objects("/vectors/producer-forms.json");
  }

  @ParameterizedTest
  @MethodSource("rows")
  void forms_are_those_that_python_and_javascript_write(JsonObject row) {
    assertThat(form(row, ProducerConvention.JAVASCRIPT_OBJECT)).isEqualTo(text(row, "javascript"));
    assertThat(form(row, ProducerConvention.PYTHON)).isEqualTo(text(row, "python"));
    assertThat(form(row, ProducerConvention.PYTHON_UNICODE)).isEqualTo(text(row, "python_unicode"));
    assertThat(form(row, ProducerConvention.PYTHON_COMPACT)).isEqualTo(text(row, "python_compact"));
    assertThat(form(row, ProducerConvention.PYTHON_COMPACT_UNICODE))
        .isEqualTo(text(row, "python_compact_unicode"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void rules_of_a_canonicalization_make_its_form(JsonObject row) {
    JsonValue value = JsonText.parse(text(row, "input"));
    for (Canonicalization canonicalization : Canonicalization.values()) {
      assertThat(written(
              value, ConventionRules.of(ProducerConvention.CANONICALIZATION, canonicalization)))
          .isEqualTo(CanonicalJson.of(canonicalization).withRoundedIntegers().text(value));
    }
  }

  @Test
  void numbers_are_as_the_default_parser_of_serde_json_reads_them() {
    List<JsonObject> read = objects("/vectors/json-cases.json").stream()
        .filter(row -> !text(row, "serde_1_0_150").startsWith("ERR"))
        .filter(row -> !text(row, "input").equals("{\"a\":1,\"a\":2}"))
        .toList();

    assertThat(read).hasSizeGreaterThan(35).allSatisfy(row -> {
      JsonValue value = JsonText.parse(text(row, "input"));
      assertThat(written(
              value,
              ConventionRules.of(ProducerConvention.SERDE_DEFAULT_PARSER, Canonicalization.SERDE)))
          .isEqualTo(text(row, "serde_1_0_150"));
      assertThat(written(
              value,
              ConventionRules.of(
                  ProducerConvention.SERDE_DEFAULT_PARSER, Canonicalization.SERDE_RYU)))
          .isEqualTo(text(row, "serde_1_0_146"));
    });
  }

  @Test
  void floats_are_widened_and_shortened_as_rust_writes_them() {
    List<String> lines = TestData.lines("/vectors/f32-widening.tsv");
    assertThat(lines).hasSize(14).allSatisfy(line -> {
      String[] columns = line.split("\t", -1);
      JsonValue text = JsonText.parse(columns[1].replace("to_string=", ""));
      JsonValue widened = JsonText.parse(columns[2].replace("to_value=", ""));

      assertThat(FloatWidening.widen(text)).isEqualTo(widened);
      assertThat(FloatWidening.shorten(widened)).isEqualTo(text);
    });
  }

  @Test
  void integers_beyond_64_bits_are_read_by_the_default_parser_too() {
    ConventionRules rules =
        ConventionRules.of(ProducerConvention.SERDE_DEFAULT_PARSER, Canonicalization.SERDE);

    // 9944681318596834795 * 1e10, where the nearest double is one unit below
    assertThat(written(JsonText.parse("99446813185968347955962756036"), rules))
        .isEqualTo("9.944681318596836e+28");
    assertThat(CanonicalJson.SERDE.text(JsonText.parse("99446813185968347955962756036")))
        .isEqualTo("9.944681318596834e+28");
    assertThat(written(JsonText.parse("[18446744073709551615,-9223372036854775808]"), rules))
        .isEqualTo("[18446744073709551615,-9223372036854775808]");
  }

  @Test
  void value_other_than_a_float_is_neither_widened_nor_shortened() {
    JsonValue value = JsonText.parse("{\"a\":[1,-0,16777217,1e300,null,\"0.8\"]}");

    assertThat(FloatWidening.widen(value)).isEqualTo(value);
    assertThat(FloatWidening.shorten(JsonText.parse("[0.1,16777217,0.5]")))
        .isEqualTo(JsonText.parse("[0.1,16777217,0.5]"));
  }

  private static String form(JsonObject row, ProducerConvention convention) {
    return written(
        JsonText.parse(text(row, "input")), ConventionRules.of(convention, Canonicalization.SERDE));
  }

  private static String written(JsonValue value, ConventionRules rules) {
    return String.join("", ConventionWriter.tokens(value, rules));
  }

  private static String text(JsonObject row, String name) {
    return row.at("/" + name).asString();
  }

  private static List<JsonObject> objects(String resource) {
    return JsonText.parse(TestData.text(resource)).asArray().stream()
        .map(JsonValue::asObject)
        .toList();
  }
}
