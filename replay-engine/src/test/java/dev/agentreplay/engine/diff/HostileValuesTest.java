package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.engine.diff.pattern.ScalarRule;
import dev.agentreplay.engine.diff.rule.Closeness;
import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.engine.diff.rule.FuzzyText;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.engine.diff.rule.SemanticComparator;
import dev.agentreplay.engine.diff.rule.SemanticTexts;
import dev.agentreplay.engine.diff.rule.Tolerance;
import dev.agentreplay.engine.diff.rule.UnorderedArray;
import dev.agentreplay.engine.diff.value.CompiledRule;
import dev.agentreplay.engine.diff.value.Side;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that are deep, wide or long end no comparison, and do not keep it busy for ever. */
class HostileValuesTest {

  private static final List<ComparisonRule> RULES = List.of(
      Ignore.timestamps(),
      Ignore.durations(),
      Ignore.ids(),
      Ignore.at("/**/a/**/b/**/c"),
      Normalizer.ansiCodes(),
      Normalizer.dates(),
      Normalizer.temporaryFolders(),
      Normalizer.folder("/home/me/project", "workspace"),
      UnorderedArray.at("/**").keyedBy("/a/a/a"),
      Tolerance.parse("/**=1%"),
      FuzzyText.atLeast(0.9));

  @Test
  void deep_values_are_compared() throws IOException {
    assertThat(compare(RULES, deep(1), deep(2))).hasSize(2); // a removal and an addition
    assertThat(compare(List.of(), deep(1), deep(2))).hasSize(1);
  }

  @Test
  void wide_values_are_compared() throws IOException {
    JsonValue left = array(20_000, i -> JsonNumber.of(i));
    JsonValue right = array(20_000, i -> JsonNumber.of(i + 1L));
    assertThat(compare(List.of(), left, right)).hasSize(2);
    assertThat(compare(RULES, left, right)).hasSize(2);
    assertThat(compare(List.of(), left, array(20_000, i -> JsonNumber.of(-i - 1L))))
        .hasSize(20_000);
  }

  @Test
  void many_members_are_compared() throws IOException {
    assertThat(compare(RULES, members(30_000, 1), members(30_000, 2))).hasSize(30_000);
    assertThat(compare(List.of(), members(30_000, 1), members(29_999, 1))).hasSize(1);
  }

  @Test
  void equal_elements_many_times_are_compared() throws IOException {
    JsonValue left = array(30_000, i -> JsonNumber.of(i % 2));
    JsonValue right = array(30_000, i -> JsonNumber.of(i % 3));
    assertThat(compare(List.of(), left, right)).isNotEmpty();
    assertThat(compare(List.of(UnorderedArray.at("/**")), left, right)).hasSize(20_000);
  }

  @Test
  void places_under_long_names_are_reported_as_one() throws IOException {
    JsonObject left = JsonObject.of("n".repeat(100_000), array(10_000, i -> JsonNumber.of(2L * i)));
    JsonObject right =
        JsonObject.of("n".repeat(100_000), array(10_000, i -> JsonNumber.of(2L * i + 1)));
    assertThat(compare(List.of(), left, right))
        .singleElement()
        .extracting(ValueChange::before)
        .isEqualTo(left.value(0));
  }

  @Test
  void one_place_under_a_long_name_stays_close() throws IOException {
    String name = "n".repeat(100_000);
    assertThat(compare(RULES, JsonObject.of(name, "0123456789"), JsonObject.of(name, "012345678x")))
        .singleElement()
        .extracting(ValueChange::closeness)
        .isEqualTo(new Closeness("fuzzy", 0.9, null));
  }

  @Test
  void many_close_places_under_a_long_name_are_close_by_the_least_similar() throws IOException {
    String name = "n".repeat(100_000);
    JsonObject left = JsonObject.of(name, array(1_000, i -> JsonString.of(i + "aaaaaaaaaa")));
    JsonObject right = JsonObject.of(
        name, array(1_000, i -> JsonString.of(i + "aaaaaaaaa" + (i == 7 ? "bcdefghijk" : "x"))));
    FuzzyText fuzzy = FuzzyText.atLeast(0.5);
    assertThat(compare(List.of(fuzzy), left, right))
        .singleElement()
        .extracting(ValueChange::closeness)
        .isEqualTo(new Closeness("fuzzy", 20.0 / 31, null));
    assertThat(compare(List.of(FuzzyText.atLeast(0.7)), left, right))
        .singleElement()
        .extracting(ValueChange::closeness)
        .isNull();
  }

  @Test
  void close_places_of_several_rules_are_close_by_all_of_them() throws IOException {
    String name = "n".repeat(100_000);
    JsonObject left = JsonObject.of(name, array(1_000, i -> JsonString.of("left " + i)));
    JsonObject right =
        JsonObject.of(name, array(1_000, i -> JsonString.of(i == 7 ? "-" : "left! " + i)));
    SemanticTexts judged =
        SemanticTexts.judgedBy(texts -> new SemanticComparator.Judgment(true, 0.25, "same"));
    assertThat(compare(List.of(FuzzyText.atLeast(0.8), judged), left, right))
        .singleElement()
        .extracting(ValueChange::closeness)
        .isEqualTo(new Closeness("fuzzy and semantic", 0.25, null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1",
        "12:",
        "2024-11-21 08:17:0",
        "2024-11-21",
        "Nov ",
        "Nov 21 ",
        "Mon, ",
        "21/Nov/",
        "1h ",
        "1d ",
        "1,111",
        "1.",
        "P1D",
        "PT",
        "0:00:",
        "20241121T",
        "deadbeef-",
        "a-",
        "call_",
        "call_a1",
        "01ARZ3",
        "A",
        "/tmp/",
        "/tmp",
        "file:/",
        "C:\\Users\\",
        "/var/folders/a/",
        "$TMPDIR",
        "\u001B",
        "\u001B[",
        "\u001B[1;",
        "\u001B]",
        "\u001B]8;",
        "/work",
        "/home/me/project",
        "\\n",
        " ",
      })
  void texts_of_almost_matches_are_read(String part) {
    JsonValue text = JsonString.of(part.repeat(50_000 / part.length()));
    for (ComparisonRule rule : RULES) {
      ScalarRule scalars = CompiledRule.of(rule).scalars();
      if (scalars != null) {
        assertThat(scalars.apply("a", text)).isNotNull();
      }
    }
  }

  @Test
  void texts_and_numbers_that_look_like_numbers_are_read() throws IOException {
    JsonObject left =
        JsonObject.of("latency_ms", "1".repeat(100_000), "t", JsonNumber.of("1e-999999999"));
    JsonObject right = JsonObject.of("latency_ms", "1e999", "t", JsonNumber.of("1e-888888888"));
    assertThat(compare(RULES, left, right)).hasSize(1);
  }

  private static List<ValueChange> compare(
      List<ComparisonRule> rules, JsonValue left, JsonValue right) throws IOException {
    CompiledRules compiled = CompiledRules.of(rules, CanonicalJson.SERDE);
    JsonObject leftView = JsonObject.of("output", left);
    JsonObject rightView = JsonObject.of("output", right);
    assertThat(CanonicalJson.SERDE.hash(compiled.normalize(leftView, Side.LEFT)))
        .isNotEqualTo(CanonicalJson.SERDE.hash(compiled.normalize(rightView, Side.RIGHT)));
    return compiled.compare(TestValues.STEP, leftView, rightView, name -> DivergenceKind.OUTPUT);
  }

  /** As deep as values may be: the view is around it. */
  private static JsonValue deep(int innermost) {
    JsonValue value = JsonNumber.of(innermost * 100L);
    for (int i = 0; i < JsonValue.MAX_DEPTH / 2 - 1; i++) {
      value = JsonArray.of(JsonObject.of("a", value));
    }
    return value;
  }

  private static JsonArray array(int size, IntFunction<JsonValue> element) {
    return JsonArray.copyOf(IntStream.range(0, size).mapToObj(element).toList());
  }

  private static JsonObject members(int size, int value) {
    JsonObject.Builder members = JsonObject.builder();
    for (int i = size - 1; i >= 0; i--) {
      members.add("m" + i, JsonNumber.of(value));
    }
    return members.build();
  }
}
