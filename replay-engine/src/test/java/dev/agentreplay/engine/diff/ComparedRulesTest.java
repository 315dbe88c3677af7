package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.diff.rule.Closeness;
import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.engine.diff.rule.FuzzyText;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.engine.diff.rule.SemanticComparator;
import dev.agentreplay.engine.diff.rule.SemanticComparator.Judgment;
import dev.agentreplay.engine.diff.rule.SemanticTexts;
import dev.agentreplay.engine.diff.rule.Tolerance;
import dev.agentreplay.engine.diff.rule.UnorderedArray;
import dev.agentreplay.engine.diff.value.Side;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The result of each rule for two values. */
class ComparedRulesTest {

  @Test
  void inserted_element_is_one_change() throws IOException {
    assertThat(outputs(JsonArray.of(1, 2, 3), JsonArray.of(1, 9, 2, 3)))
        .containsExactly("/output/1 /output/1 null -> 9");
    assertThat(outputs(JsonArray.of(1, 2, 3), JsonArray.of(2, 3)))
        .containsExactly("/output/0 /output/0 1 -> null");
  }

  @Test
  void elements_that_differ_in_place_are_compared_further() throws IOException {
    assertThat(outputs(array("{\"a\":1,\"b\":1}", "2"), array("7", "{\"a\":1,\"b\":2}", "2")))
        .containsExactly("/output/0 /output/0 null -> 7", "/output/0/b /output/1/b 1 -> 2");
    assertThat(outputs(array("\"text one\"", "\"x\"", "3"), array("\"text two\"", "3")))
        .containsExactly(
            "/output/0 /output/0 \"text one\" -> \"text two\"",
            "/output/1 /output/1 \"x\" -> null");
  }

  @Test
  void kinds_that_come_first_are_reported_first() throws IOException {
    JsonObject left = JsonObject.of("z", 1, "params", JsonObject.of("b", 1, "a", 1), "tool", "x");
    JsonObject right = JsonObject.of("z", 2, "params", JsonObject.of("b", 2, "a", 2), "tool", "y");
    List<ValueChange> changes = CompiledRules.of(List.of(), CanonicalJson.SERDE)
        .compare(TestValues.STEP, left, right, name -> switch (name) {
          case "tool" -> DivergenceKind.TOOL;
          case "params" -> DivergenceKind.PARAMS;
          default -> DivergenceKind.OTHER;
        });

    assertThat(changes)
        .extracting(ValueChange::pointer)
        .containsExactly("/tool", "/params/a", "/params/b", "/z");
    assertThat(changes)
        .extracting(ValueChange::kind)
        .containsExactly(
            DivergenceKind.TOOL,
            DivergenceKind.PARAMS,
            DivergenceKind.PARAMS,
            DivergenceKind.OTHER);
  }

  @Test
  void numbers_are_compared_as_they_are_hashed() throws IOException {
    JsonValue left = JsonNumber.of("1.0");
    JsonValue right = JsonNumber.of("1");
    assertThat(outputs(JsonNumber.of("1.50"), JsonNumber.of("15e-1"))).isEmpty();
    assertThat(outputs(left, right)).hasSize(1);
    assertThat(compare(CanonicalJson.JCS, left, right)).isEmpty();
    assertThat(compare(
            CanonicalJson.JCS,
            JsonArray.of(left, JsonNumber.of("9007199254740993")),
            JsonArray.of(right, JsonNumber.of("9007199254740993"))))
        .hasSize(1);
  }

  @Test
  void ignored_places_are_not_compared() throws IOException {
    JsonObject left = JsonObject.of("etag", 1, "items", array("{\"etag\":1,\"a\":1}", "2"));
    JsonObject right = JsonObject.of("items", array("{\"a\":2}", "2"));

    assertThat(outputs(left, right, Ignore.at("/output/**/etag")))
        .containsExactly("/output/items/0/a /output/items/0/a 1 -> 2");
    assertThat(outputs(left, right, Ignore.at("/output"))).isEmpty();
    assertThat(outputs(left, right, Ignore.at("/**"))).isEmpty();
    assertThat(outputs(JsonArray.of(1, 2, 3), JsonArray.of(9, 2, 4), Ignore.at("/output/0")))
        .containsExactly("/output/2 /output/2 3 -> 4");
  }

  @ParameterizedTest
  @ValueSource(strings = {"params", "output", "prompt", "answer", "payload"})
  void hash_of_an_ignored_content_is_ignored(String content) throws IOException {
    String hash = content + "_hash";
    assertThat(compare(hash, Ignore.at("/" + content))).isEmpty();
    assertThat(compare(hash, Ignore.at("/" + content + "/**"))).isEmpty();
    assertThat(compare(hash, Ignore.at("/" + content + "/etag"))).hasSize(1);
    assertThat(compare("plan_hash", Ignore.at("/plan"))).hasSize(1);
    JsonObject left = JsonObject.of(hash, "a");
    assertThat(outputs(left, JsonObject.of(hash, "b"), Ignore.at("/output/" + content)))
        .hasSize(1);
  }

  @Test
  void changes_show_what_was_recorded() throws IOException {
    assertThat(outputs(
            JsonValue.of("\u001B[1ma\u001B[m at 2024-11-21T08:17:05Z"),
            JsonValue.of("b at 2025-11-21T08:17:05Z"),
            Normalizer.ansiCodes(),
            Ignore.timestamps()))
        .containsExactly("/output /output \"\\u001b[1ma\\u001b[m at 2024-11-21T08:17:05Z\""
            + " -> \"b at 2025-11-21T08:17:05Z\"");
  }

  @Test
  void rules_for_texts_hold_in_the_order_given() throws IOException {
    Normalizer first = Normalizer.pattern("one", "a", "b");
    Normalizer second = Normalizer.pattern("two", "b", "c");
    assertThat(outputs(JsonValue.of("a"), JsonValue.of("c"), first, second)).isEmpty();
    assertThat(outputs(JsonValue.of("a"), JsonValue.of("c"), second, first)).hasSize(1);
  }

  @Test
  void member_names_are_not_normalized() throws IOException {
    assertThat(outputs(
            JsonObject.of("2024-05-20", 1), JsonObject.of("2024-05-21", 1), Normalizer.dates()))
        .hasSize(2);
  }

  @Test
  void order_of_an_unordered_array_is_not_compared() throws IOException {
    UnorderedArray items = UnorderedArray.at("/output");
    assertThat(outputs(JsonArray.of(1, 2, 2), JsonArray.of(2, 1, 2), items)).isEmpty();
    assertThat(outputs(JsonArray.of(1, 2, 2), JsonArray.of(2, 1, 1), items))
        .containsExactly("/output/2 /output/2 2 -> null", "/output/2 /output/2 null -> 1");
    assertThat(outputs(JsonArray.of(JsonArray.of(1, 2)), JsonArray.of(JsonArray.of(2, 1)), items))
        .isNotEmpty();
    assertThat(outputs(
            JsonArray.of(JsonArray.of(1, 2), 3),
            JsonArray.of(3, JsonArray.of(2, 1)),
            UnorderedArray.at("/output/**")))
        .isEmpty();
  }

  @Test
  void elements_of_one_key_are_compared() throws IOException {
    JsonArray left = array("{\"id\":1,\"a\":1}", "{\"id\":2,\"a\":1}", "{\"a\":1}");
    JsonArray right = array("{\"id\":3,\"a\":1}", "{\"id\":1,\"a\":2}", "{\"a\":2}");
    assertThat(outputs(left, right, UnorderedArray.at("/output").keyedBy("id")))
        .containsExactly(
            "/output/0/a /output/1/a 1 -> 2",
            "/output/1 /output/1 {\"id\":2,\"a\":1} -> null",
            "/output/2 /output/2 {\"a\":1} -> null",
            "/output/0 /output/0 null -> {\"id\":3,\"a\":1}",
            "/output/2 /output/2 null -> {\"a\":2}");
  }

  @Test
  void key_may_be_deep_in_an_element() throws IOException {
    JsonArray left = array("{\"k\":{\"a/b\":[1,7]},\"a\":1}");
    JsonArray right = array("{\"k\":{\"a/b\":[2,7]},\"a\":1}");
    UnorderedArray items = UnorderedArray.at("/output");
    assertThat(outputs(left, right, items.keyedBy("/k/a~1b/1")))
        .containsExactly("/output/0/k/a~1b/0 /output/0/k/a~1b/0 1 -> 2");
    assertThat(outputs(left, right, items.keyedBy("/k/a~1b/0"))).hasSize(2);
    assertThatIllegalArgumentException().isThrownBy(() -> items.keyedBy("/a~"));
    assertThat(items.keyedBy("id").description()).isEqualTo("unordered /output by id");
  }

  @Test
  void elements_of_the_same_key_are_compared_in_order() throws IOException {
    JsonArray left = array("{\"id\":1,\"a\":1}", "{\"id\":1,\"a\":2}", "{\"id\":1,\"a\":5}");
    JsonArray right = array("{\"id\":1,\"a\":3}", "{\"id\":1,\"a\":1}", "{\"id\":1,\"a\":4}");
    assertThat(outputs(left, right, UnorderedArray.at("/output").keyedBy("id")))
        .containsExactly("/output/1/a /output/0/a 2 -> 3", "/output/2/a /output/2/a 5 -> 4");
  }

  @Test
  void numbers_within_tolerance_are_equal() throws IOException {
    Tolerance price = Tolerance.parse("/output/*/price=1%");
    JsonArray left = array("{\"price\":100,\"n\":100}", "{\"price\":100}");
    JsonArray right = array("{\"price\":101,\"n\":101}", "{\"price\":102}");
    assertThat(outputs(left, right, price))
        .containsExactly(
            "/output/0/n /output/0/n 100 -> 101", "/output/1/price /output/1/price 100 -> 102");
  }

  @Test
  void arrays_that_are_equal_index_by_index_within_tolerances_are_equal() throws IOException {
    Tolerance one = Tolerance.parse("/**=1");
    assertThat(outputs(JsonArray.of(5, 6), JsonArray.of(6, 5), one)).isEmpty();
    assertThat(outputs(array("[5,6]", "[6,7]"), array("[6,5]", "[5,6]"), one)).isEmpty();
    assertThat(outputs(
            array("{\"a\":[5,{\"b\":6}]}", "{\"a\":[6,{\"b\":5}]}"),
            array("{\"a\":[6,{\"b\":5}]}", "{\"a\":[5,{\"b\":6}]}"),
            one))
        .isEmpty();
    assertThat(outputs(
            array("[5,[8,1]]", "[6,[2,9]]"),
            array("[6,[1,8]]", "[5,[9,2]]"),
            one,
            UnorderedArray.at("/output/*/1")))
        .isEmpty();
    assertThat(outputs(JsonArray.of(5, 6), JsonArray.of(6, 5), Tolerance.parse("/output/0=1")))
        .isNotEmpty();
    assertThat(outputs(JsonArray.of(5, 6, "x"), JsonArray.of(6, 5, "y"), one)).isNotEmpty();
    assertThat(outputs(JsonArray.of(5, 6), JsonArray.of(6, 5, 6), one)).isNotEmpty();
    assertThat(outputs(array("{\"a\":1}"), array("{\"b\":1}"), one)).isNotEmpty();
    assertThat(outputs(array("[]"), array("{}"), one)).isNotEmpty();
  }

  @Test
  void tolerance_counts_once_per_number_of_an_array() throws IOException {
    CompiledRules rules =
        CompiledRules.of(List.of(Tolerance.parse("/output/**=1")), CanonicalJson.SERDE);
    rules.compare(
        TestValues.STEP,
        JsonObject.of("output", array("[5,6]", "[6,6]")),
        JsonObject.of("output", array("[6,5]", "[6,6]")),
        name -> DivergenceKind.OUTPUT);
    assertThat(rules.applied())
        .containsExactly(TestResults.appliedRule("tolerance /output/** 1", 2, 2));
  }

  @Test
  void similar_texts_are_close() throws IOException {
    List<ValueChange> changes = compare(
        CanonicalJson.SERDE,
        JsonArray.of("abcd", "abcd", 1),
        JsonArray.of("abce", "wxyz", 2),
        FuzzyText.atLeast(0.75));

    assertThat(changes)
        .extracting(ValueChange::closeness)
        .containsExactly(new Closeness("fuzzy", 0.75, null), null, null);
  }

  @Test
  void texts_are_measured_once_they_are_normalized() throws IOException {
    assertThat(compare(
            CanonicalJson.SERDE,
            JsonValue.of("a123e4567-e89b-12d3-a456-426614174000"),
            JsonValue.of("b123e4567-e89b-12d3-a456-426614174009"),
            Normalizer.pattern("id", "[0-9].*", "x"),
            FuzzyText.atLeast(0.5).at("/output")))
        .extracting(ValueChange::closeness)
        .containsExactly(new Closeness("fuzzy", 0.5, null));
  }

  @Test
  void texts_are_close_from_the_threshold_on() throws IOException {
    JsonValue left = JsonValue.of("ab");
    JsonValue right = JsonValue.of("ac");

    assertThat(compare(CanonicalJson.SERDE, left, right, FuzzyText.atLeast(0.5)))
        .extracting(ValueChange::closeness)
        .containsExactly(new Closeness("fuzzy", 0.5, null));
    assertThat(compare(CanonicalJson.SERDE, left, right, FuzzyText.atLeast(0.51)))
        .extracting(ValueChange::closeness)
        .containsOnlyNulls();
  }

  @Test
  void texts_that_mean_the_same_are_close() throws IOException {
    List<SemanticComparator.Texts> asked = new ArrayList<>();
    SemanticTexts texts = SemanticTexts.judgedBy(pair -> {
      asked.add(pair);
      return new Judgment(pair.before().length() == pair.after().length(), 0.5, "as long");
    });

    assertThat(
            compare(CanonicalJson.SERDE, JsonArray.of("ab", "c"), JsonArray.of("xy", "zzz"), texts))
        .extracting(ValueChange::closeness)
        .containsExactly(new Closeness("semantic", 0.5, "as long"), null);
    assertThat(asked)
        .containsExactly(
            new SemanticComparator.Texts("search", "/output/0", "ab", "xy"),
            new SemanticComparator.Texts("search", "/output/1", "c", "zzz"));
  }

  @Test
  void similarity_is_not_requested_beyond_the_limit_and_that_is_reported() throws IOException {
    SemanticTexts texts =
        SemanticTexts.judgedBy(pair -> new Judgment(true, null, null)).atMost(1);
    CompiledRules rules = CompiledRules.of(List.of(texts), CanonicalJson.SERDE);

    List<ValueChange> changes = rules.compare(
        TestValues.STEP,
        JsonObject.of("output", JsonArray.of("a", "b", "c")),
        JsonObject.of("output", JsonArray.of("x", "y", "z")),
        name -> DivergenceKind.OUTPUT);

    assertThat(changes)
        .extracting(change -> change.closeness() != null)
        .containsExactly(true, false, false);
    assertThat(rules.applied())
        .containsExactly(
            TestResults.appliedRule("semantic texts, at most 1 judged, 2 more not judged", 1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> texts.atMost(-1));
  }

  @Test
  void judge_that_fails_ends_the_comparison() {
    SemanticTexts texts = SemanticTexts.judgedBy(pair -> {
      throw new IOException("no answer");
    });
    assertThatThrownBy(
            () -> compare(CanonicalJson.SERDE, JsonValue.of("a"), JsonValue.of("b"), texts))
        .isInstanceOf(IOException.class)
        .hasMessage("no answer");
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
  void similarity_that_is_none_is_refused(double similarity) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Judgment(true, similarity, null))
        .withMessage("similarity must be from 0 to 1: " + similarity);
  }

  @Test
  void rules_are_counted_where_they_applied() throws IOException {
    CompiledRules rules = CompiledRules.of(
        List.of(
            Ignore.at("/output/**/etag"),
            Ignore.timestamps(),
            UnorderedArray.at("/output/items"),
            Tolerance.parse("/output/n=1"),
            Ignore.tool("think"),
            Ignore.at("/nowhere")),
        CanonicalJson.SERDE);
    JsonObject left = JsonObject.of(
        "output",
        JsonObject.of(
            "items", JsonArray.of(JsonObject.of("etag", 1), "at Nov 21 08:17", "x"), "n", 1));
    JsonObject right = JsonObject.of("output", JsonObject.of("etag", 1, "n", 2));

    rules.normalize(left, Side.LEFT);
    rules.normalize(right, Side.RIGHT);
    rules.compare(TestValues.STEP, left, right, name -> DivergenceKind.OUTPUT);

    assertThat(rules.ignoresTool("think", Side.LEFT)).isTrue();
    assertThat(rules.ignoresTool("thinking", Side.LEFT)).isFalse();
    assertThat(rules.applied())
        .containsExactly(
            TestResults.appliedRule("ignore /output/**/etag", 1, 1),
            TestResults.appliedRule("ignore timestamps", 1, 0),
            TestResults.appliedRule("unordered /output/items", 1, 0),
            TestResults.appliedRule("tolerance /output/n 1", 1, 1),
            TestResults.appliedRule("ignore tool think", 1, 0),
            TestResults.appliedRule("ignore /nowhere", 0, 0));
  }

  @Test
  void view_that_no_rule_touches_stays_the_same_instance() {
    JsonObject view = JsonObject.of("output", JsonObject.of("b", "x", "a", JsonArray.of(2, 1)));
    List<ComparisonRule> none = List.of(Ignore.tool("think"));
    List<ComparisonRule> others =
        List.of(Ignore.timestamps(), Ignore.at("/output/c"), FuzzyText.atLeast(0.5));

    assertThat(CompiledRules.of(none, CanonicalJson.SERDE).normalize(view, Side.LEFT))
        .isSameAs(view);
    assertThat(CompiledRules.of(others, CanonicalJson.SERDE).normalize(view, Side.LEFT))
        .isSameAs(view);
    assertThat(CompiledRules.of(none, CanonicalJson.SERDE).isExact()).isTrue();
    assertThat(CompiledRules.of(others, CanonicalJson.SERDE).isExact()).isFalse();
  }

  @Test
  void rule_is_parsed() {
    assertThat(Ignore.parse("timestamps")).isSameAs(Ignore.timestamps());
    assertThat(Ignore.parse("durations")).isSameAs(Ignore.durations());
    assertThat(Ignore.parse("ids")).isSameAs(Ignore.ids());
    assertThat(Ignore.parse("/output/*").description()).isEqualTo("ignore /output/*");
    assertThat(Ignore.parse("tool:a b").description()).isEqualTo("ignore tool a b");
    for (String wrong : List.of("", "Timestamps", "output", "tool:", "/a~")) {
      assertThatIllegalArgumentException().isThrownBy(() -> Ignore.parse(wrong));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Ignore.parse("times"))
        .withMessage("expected timestamps, durations, ids, a JSON pointer such as /output/**/etag,"
            + " or tool:NAME, found \"times\"");
  }

  private static List<ValueChange> compare(String member, ComparisonRule rule) throws IOException {
    return CompiledRules.of(List.of(rule), CanonicalJson.SERDE)
        .compare(
            TestValues.STEP,
            JsonObject.of(member, "a"),
            JsonObject.of(member, "b"),
            name -> DivergenceKind.OTHER);
  }

  private static List<String> outputs(JsonValue left, JsonValue right, ComparisonRule... rules)
      throws IOException {
    return compare(CanonicalJson.SERDE, left, right, rules).stream()
        .map(change -> change.pointer() + " " + change.rightPointer() + " " + change.before()
            + " -> " + change.after())
        .toList();
  }

  private static List<ValueChange> compare(
      CanonicalJson canonical, JsonValue left, JsonValue right, ComparisonRule... rules)
      throws IOException {
    return CompiledRules.of(List.of(rules), canonical)
        .compare(
            TestValues.STEP,
            JsonObject.of("output", left),
            JsonObject.of("output", right),
            name -> DivergenceKind.OUTPUT);
  }

  private static JsonArray array(String... elements) {
    return JsonText.parse("[" + String.join(",", elements) + "]").asArray();
  }
}
