package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonSyntaxException.Reason;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.TestData;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** JSONTestSuite: documents that must be accepted, must be refused, or may be either. */
class JsonTestSuiteTest {

  /** RFC 8259 leaves duplicate names open; here they are refused. */
  private static final Set<String> DUPLICATES =
      Set.of("y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json");

  /** Cases that RFC 8259 leaves open: the canonical form, or the reason and place of a refusal. */
  private static final Map<String, String> DECIDED = Map.ofEntries(
      Map.entry("number_double_huge_neg_exp", "[0.0]"),
      Map.entry("number_huge_exp", "NUMBER_RANGE at 1"),
      Map.entry("number_neg_int_huge_exp", "NUMBER_RANGE at 1"),
      Map.entry("number_pos_double_huge_exp", "NUMBER_RANGE at 1"),
      Map.entry("number_real_neg_overflow", "NUMBER_RANGE at 1"),
      Map.entry("number_real_pos_overflow", "NUMBER_RANGE at 1"),
      Map.entry("number_real_underflow", "[0.0]"),
      Map.entry("number_too_big_neg_int", "[-1.2312312312312312e+29]"),
      Map.entry("number_too_big_pos_int", "[1e+20]"),
      Map.entry("number_very_big_negative_int", "[-2.374623746732769e+47]"),
      Map.entry("object_key_lone_2nd_surrogate", "ENCODING at 2"),
      Map.entry("string_1st_surrogate_but_2nd_missing", "ENCODING at 2"),
      Map.entry("string_1st_valid_surrogate_2nd_invalid", "ENCODING at 2"),
      Map.entry("string_UTF-16LE_with_BOM", "ENCODING at 0"),
      Map.entry("string_UTF-8_invalid_sequence", "ENCODING at 7"),
      Map.entry("string_UTF8_surrogate_U+D800", "ENCODING at 2"),
      Map.entry("string_incomplete_surrogate_and_escape_valid", "ENCODING at 2"),
      Map.entry("string_incomplete_surrogate_pair", "ENCODING at 2"),
      Map.entry("string_incomplete_surrogates_escape_valid", "ENCODING at 2"),
      Map.entry("string_invalid_lonely_surrogate", "ENCODING at 2"),
      Map.entry("string_invalid_surrogate", "ENCODING at 2"),
      Map.entry("string_invalid_utf-8", "ENCODING at 2"),
      Map.entry("string_inverted_surrogates_U+1D11E", "ENCODING at 2"),
      Map.entry("string_iso_latin_1", "ENCODING at 2"),
      Map.entry("string_lone_second_surrogate", "ENCODING at 2"),
      Map.entry("string_lone_utf8_continuation_byte", "ENCODING at 2"),
      Map.entry("string_not_in_unicode_range", "ENCODING at 2"),
      Map.entry("string_overlong_sequence_2_bytes", "ENCODING at 2"),
      Map.entry("string_overlong_sequence_6_bytes", "ENCODING at 2"),
      Map.entry("string_overlong_sequence_6_bytes_null", "ENCODING at 2"),
      Map.entry("string_truncated-utf-8", "ENCODING at 2"),
      Map.entry("string_utf16BE_no_BOM", "ENCODING at 0"),
      Map.entry("string_utf16LE_no_BOM", "ENCODING at 0"),
      Map.entry("structure_500_nested_arrays", "[".repeat(500) + "]".repeat(500)),
      Map.entry("structure_UTF-8_BOM_empty_object", "ENCODING at 0"));

  static Stream<Arguments> accepted() {
    return documents("y_").filter(arguments -> !DUPLICATES.contains(arguments.get()[0]));
  }

  static Stream<Arguments> refused() {
    return Stream.concat(
        documents("n_"),
        Stream.of(
            Arguments.of("n_structure_100000_opening_arrays.json", utf8("[".repeat(100_000))),
            Arguments.of(
                "n_structure_open_array_object.json", utf8("[{\"\":".repeat(50_000) + "\n"))));
  }

  static Stream<Arguments> either() {
    return documents("i_");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("accepted")
  void is_accepted(String name, byte[] document) {
    JsonValue value = JsonText.parse(document);

    assertThat(refusal(document)).isNull();
    assertThat(JsonText.parse(CanonicalJson.SERDE.bytes(value)).depth()).isEqualTo(value.depth());
    assertThat(JsonText.parse(value.toString()).equals(value)).isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refused")
  void is_refused(String name, byte[] document) {
    JsonSyntaxException refusal = refusal(document);

    assertThat(refusal).isNotNull();
    assertThat(refusal.offset()).isBetween(0, document.length);
    assertThat(refusal).hasMessage(refusal.detail() + " at byte " + refusal.offset());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("either")
  void has_the_outcome_that_was_decided_for_it(String name, byte[] document) {
    assertThat(Outcome.of(CanonicalJson.SERDE, document).summary())
        .isEqualTo(DECIDED.get(name.substring("i_".length(), name.length() - ".json".length())));
    refusal(document);
  }

  @Test
  void integers_that_rfc_8785_would_round_are_refused_by_it_only() {
    for (String name : List.of("too_big_neg_int", "very_big_negative_int")) {
      byte[] document = either()
          .filter(arguments -> arguments.get()[0].equals("i_number_" + name + ".json"))
          .map(arguments -> (byte[]) arguments.get()[1])
          .findFirst()
          .orElseThrow();

      assertThat(Outcome.of(CanonicalJson.JCS, document).summary()).isEqualTo("NUMBER_RANGE at 1");
      assertThat(Outcome.of(CanonicalJson.JCS.withRoundedIntegers(), document).isRefused())
          .isFalse();
    }
  }

  @Test
  void duplicate_names_are_refused() {
    assertThat(documents("y_").filter(arguments -> DUPLICATES.contains(arguments.get()[0])))
        .hasSize(2)
        .allSatisfy(arguments -> assertThat(refusal((byte[]) arguments.get()[1]).reason())
            .isEqualTo(Reason.DUPLICATE_KEY));
  }

  @Test
  void all_documents_are_there() {
    assertThat(
            List.of(documents("y_").count(), refused().count(), documents("i_").count()))
        .containsExactly(95L, 188L, 35L);
    assertThat(DECIDED).hasSize(35);
  }

  private static JsonSyntaxException refusal(byte[] document) {
    return Outcome.refusal(document);
  }

  private static Stream<Arguments> documents(String prefix) {
    return TestData.lines("/vectors/jsontestsuite.tsv").stream()
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.split("\t", -1))
        .map(columns -> Arguments.of(columns[0], HexFormat.of().parseHex(columns[1])));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
