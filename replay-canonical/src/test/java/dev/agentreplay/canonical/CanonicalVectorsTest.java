package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentreplay.canonical.JsonSyntaxException.Reason;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What other implementations wrote, and refused. */
class CanonicalVectorsTest {

  private static final String SERDE = "serde_1_0_150_float_roundtrip";

  private static final String DUPLICATE = "{\"a\":1,\"a\":2}";

  /** Refused by serde_json too. */
  private static final Map<String, Reason> REFUSED = Map.of(
      "1e400", Reason.NUMBER_RANGE,
      "\"\\ud800\"", Reason.ENCODING,
      "\"\\udc00\"", Reason.ENCODING,
      "NaN", Reason.SYNTAX,
      "Infinity", Reason.SYNTAX,
      "01", Reason.SYNTAX,
      "[1,]", Reason.SYNTAX);

  static List<JsonObject> serdeRows() {
    return objects("/vectors/json-cases.json");
  }

  @ParameterizedTest
  @MethodSource("serdeRows")
  void canonical_form_is_what_serde_json_writes(JsonObject row) {
    String input = row.at("/input").asString();
    String expected = row.at("/" + SERDE).asString();
    Reason refused = input.equals(DUPLICATE) ? Reason.DUPLICATE_KEY : REFUSED.get(input);

    assertThat(expected.startsWith("ERR")).isEqualTo(REFUSED.containsKey(input));
    if (refused != null) {
      assertThat(refusal(input.getBytes(StandardCharsets.UTF_8)).reason()).isEqualTo(refused);
    } else {
      assertThat(CanonicalJson.SERDE.text(JsonText.parse(input))).isEqualTo(expected);
    }
  }

  @Test
  void numbers_that_the_default_parser_of_serde_json_rounds_wrongly_are_two() {
    assertThat(serdeRows())
        .hasSize(49)
        .filteredOn(row -> !row.at("/serde_1_0_150").equals(row.at("/" + SERDE)))
        .hasSize(2);
  }

  @Test
  void doubles_are_laid_out_as_serde_json_does() {
    List<String> wrong = new ArrayList<>();
    List<String> lines = TestData.lines("/vectors/double-formats.tsv");
    for (String line : lines.subList(1, lines.size())) {
      String[] columns = line.split("\t", -1);
      double value = Double.longBitsToDouble(Long.parseUnsignedLong(columns[0], 16));
      // also from the text that ECMAScript and older versions of serde_json write
      List<String> texts = value == 0
          ? List.of(columns[2], columns[3])
          : List.of(columns[1].contains(".") ? columns[1] : "0", columns[2], columns[3]);
      for (String text : texts) {
        String canonical = CanonicalJson.SERDE.text(JsonText.parse(text));
        if (!text.equals("0") && !canonical.equals(columns[3])) {
          wrong.add(columns[0] + ": " + text + " gives " + canonical + ", not " + columns[3]);
        }
      }
      if (!CanonicalJson.SERDE.text(JsonNumber.of(value)).equals(columns[3])) {
        wrong.add(columns[0]);
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(lines).hasSize(6_156);
  }

  @Test
  void floats_are_widened_as_rust_does() {
    for (String line : TestData.lines("/vectors/f32-widening.tsv")) {
      String[] columns = line.split("\t", -1);
      float value = Float.parseFloat(columns[0]);
      String widened = columns[2].substring(columns[2].indexOf('=') + 1);

      assertThat(CanonicalJson.SERDE.text(JsonValue.of(value))).as(columns[0]).isEqualTo(widened);
    }
  }

  static List<JsonObject> payloads() {
    return JsonText.parse(TestData.text("/vectors/khala_payload_hash_vectors.v1.json"))
        .at("/vectors")
        .asArray()
        .stream()
        .map(JsonValue::asObject)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("payloads")
  void payload_has_the_hash_that_another_project_published(JsonObject vector) {
    JsonValue payload = vector.at("/payload");

    assertThat(CanonicalJson.SERDE.text(payload))
        .isEqualTo(vector.at("/canonical_json").asString());
    assertThat(CanonicalJson.SERDE.hash(payload))
        .hasToString(vector.at("/sha256").asString());
  }

  static List<JsonObject> negatives() {
    return objects("/vectors/jcs-negative.json");
  }

  @ParameterizedTest
  @MethodSource("negatives")
  void text_that_others_accept_by_mistake_is_refused(JsonObject vector) {
    String name = vector.at("/name").asString();
    byte[] input = HexFormat.of().parseHex(vector.at("/input_hex").asString());

    if (name.startsWith("subnormal")) {
      assertThat(CanonicalJson.SERDE.text(JsonText.parse(input)))
          .isEqualTo(vector.at("/serde_json").asString());
    } else {
      assertThat(refusal(input).reason()).isEqualTo(reason(name));
    }
  }

  private static Reason reason(String name) {
    if (name.startsWith("duplicate")) {
      return Reason.DUPLICATE_KEY;
    }
    if (name.contains("overflow")) {
      return Reason.NUMBER_RANGE;
    }
    return List.of("leading zero", "trailing garbage", "NaN").contains(name)
        ? Reason.SYNTAX
        : Reason.ENCODING;
  }

  private static JsonSyntaxException refusal(byte[] text) {
    return catchThrowableOfType(JsonSyntaxException.class, () -> JsonText.parse(text));
  }

  private static List<JsonObject> objects(String resource) {
    return JsonText.parse(TestData.text(resource)).asArray().stream()
        .map(JsonValue::asObject)
        .toList();
  }
}
