package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonSyntaxException.Reason;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.TestData;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Texts that other implementations wrote, and texts that they refused. */
class CanonicalVectorsTest {

  private static final String SERDE = "serde_1_0_150_float_roundtrip";

  /** The canonicalizations of the columns of the doubles, after that of the bits. */
  private static final List<CanonicalJson> COLUMNS =
      List.of(CanonicalJson.JCS, CanonicalJson.SERDE_RYU, CanonicalJson.SERDE);

  /**
   * Numbers that serde_json reads one unit in the last place off, unless it is built to be exact:
   * its column of the older version was not.
   */
  private static final Map<String, String> ROUNDED_WRONGLY =
      Map.of("333333333.33333329", "333333333.3333333", "9007199254740993.0", "9007199254740992.0");

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
    Reason refused = refused(input);

    assertThat(expected.startsWith("ERR")).isEqualTo(REFUSED.containsKey(input));
    if (refused != null) {
      assertThat(refusal(input.getBytes(StandardCharsets.UTF_8)).reason()).isEqualTo(refused);
    } else {
      assertThat(Outcome.of(CanonicalJson.SERDE, input).text()).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @MethodSource("serdeRows")
  void canonical_form_of_old_producers_is_what_older_serde_json_writes(JsonObject row) {
    String input = row.at("/input").asString();
    if (refused(input) == null) {
      assertThat(Outcome.of(CanonicalJson.SERDE_RYU, input).text())
          .isEqualTo(
              ROUNDED_WRONGLY.getOrDefault(input, row.at("/serde_1_0_146").asString()));
    }
  }

  @ParameterizedTest
  @MethodSource("serdeRows")
  void canonical_form_of_rfc_8785_is_what_ecmascript_writes(JsonObject row) {
    String input = row.at("/input").asString();
    if (refused(input) == null) {
      assertThat(Outcome.of(CanonicalJson.JCS.withRoundedIntegers(), input).text())
          .isEqualTo(row.at("/ecmascript_sorted").asString());
    }
  }

  @ParameterizedTest
  @MethodSource("serdeRows")
  void integers_that_ecmascript_rounds_are_refused_unless_allowed(JsonObject row) {
    String input = row.at("/input").asString();
    if (refused(input) == null) {
      Outcome outcome = Outcome.of(CanonicalJson.JCS, input);
      String written = row.at("/ecmascript_sorted").asString();
      boolean unsafe = input.matches("-?[0-9]+")
          && new BigInteger(input).abs().compareTo(BigInteger.ONE.shiftLeft(53)) >= 0;

      assertThat(outcome.summary())
          .isEqualTo(unsafe && !written.equals(input) ? "NUMBER_RANGE at 0" : written);
    }
  }

  @Test
  void numbers_that_the_default_parser_of_serde_json_rounds_wrongly_are_two() {
    assertThat(serdeRows())
        .hasSize(49)
        .filteredOn(row -> !row.at("/serde_1_0_150").equals(row.at("/" + SERDE)))
        .extracting(row -> row.at("/input").asString())
        .containsExactlyInAnyOrderElementsOf(ROUNDED_WRONGLY.keySet());
  }

  @Test
  void doubles_are_laid_out_as_each_producer_does() {
    List<String> wrong = new ArrayList<>();
    List<String> lines = TestData.lines("/vectors/double-formats.tsv");
    for (String line : lines.subList(1, lines.size())) {
      String[] columns = line.split("\t", -1);
      double value = Double.longBitsToDouble(Long.parseUnsignedLong(columns[0], 16));
      for (int i = 0; i < COLUMNS.size(); i++) {
        CanonicalJson json = COLUMNS.get(i);
        String expected = columns[i + 1];
        if (!json.text(JsonNumber.of(value)).equals(expected)) {
          wrong.add(columns[0]);
        }
        // from what each of the producers writes, unless it has made an integer of the double
        for (String text : List.of(columns[1], columns[2], columns[3])) {
          boolean fractional = text.indexOf('.') >= 0 || text.indexOf('e') >= 0;
          if (fractional && !Outcome.of(json, text).text().equals(expected)) {
            wrong.add(columns[0] + ": " + text + " is not " + expected);
          }
        }
      }
      // an integer that is the form of a double is none that would be rounded
      String again = Outcome.of(CanonicalJson.JCS, columns[1]).summary();
      if (!again.equals(columns[1])) {
        wrong.add(columns[0] + ": " + columns[1] + " becomes " + again);
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
      assertThat(Outcome.of(CanonicalJson.SERDE, widened).text()).isEqualTo(widened);
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
    for (CanonicalJson json : Outcome.PROFILES) {
      CanonicalForm form = Outcome.of(json, JsonText.pretty(payload)).form();
      assertThat(form.hash()).hasToString(vector.at("/sha256").asString());
      assertThat(form.isPortable()).isTrue();
    }
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
      for (CanonicalJson json : Outcome.PROFILES) {
        assertThat(Outcome.of(json, input).text()).isEqualTo(vector.at("/jcs").asString());
      }
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

  static Stream<Arguments> pairs() {
    return TestData.lines("/vectors/jcs-testdata.tsv").stream()
        .map(line -> line.split("\t", -1))
        .map(columns -> Arguments.of(
            columns[0], HexFormat.of().parseHex(columns[1]), HexFormat.of().parseHex(columns[2])));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pairs")
  void documents_of_rfc_8785_have_its_canonical_form(String name, byte[] input, byte[] output) {
    assertThat(Outcome.of(CanonicalJson.JCS, input).form().bytes()).isEqualTo(output);
    assertThat(CanonicalJson.JCS.isCanonical(output)).isTrue();
    assertThat(CanonicalJson.JCS.isCanonical(input)).isFalse();
  }

  @Test
  void documents_of_rfc_8785_are_six() {
    assertThat(pairs()).hasSize(6);
  }

  private static Reason refused(String input) {
    return input.equals(DUPLICATE) ? Reason.DUPLICATE_KEY : REFUSED.get(input);
  }

  private static JsonSyntaxException refusal(byte[] text) {
    return Outcome.refusal(text);
  }

  private static List<JsonObject> objects(String resource) {
    return JsonText.parse(TestData.text(resource)).asArray().stream()
        .map(JsonValue::asObject)
        .toList();
  }
}
