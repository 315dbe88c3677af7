package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentreplay.canonical.JsonSyntaxException.Reason;
import dev.agentreplay.model.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
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
  void is_refused_or_has_a_canonical_form(String name, byte[] document) {
    JsonSyntaxException refusal = refusal(document);

    if (refusal == null) {
      byte[] canonical = CanonicalJson.SERDE.bytes(JsonText.parse(document));
      assertThat(CanonicalJson.SERDE.bytes(JsonText.parse(canonical))).isEqualTo(canonical);
    } else {
      assertThat(refusal.offset()).isBetween(0, document.length);
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
  }

  private static JsonSyntaxException refusal(byte[] document) {
    return catchThrowableOfType(JsonSyntaxException.class, () -> JsonText.parse(document));
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
