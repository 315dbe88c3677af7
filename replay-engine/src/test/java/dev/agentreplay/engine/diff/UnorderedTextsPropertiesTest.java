package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.engine.diff.rule.FuzzyText;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.engine.diff.rule.Tolerance;
import dev.agentreplay.engine.diff.rule.UnorderedArray;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/**
 * Arrays whose elements hold texts in which a rule selects something, in some of them only. The
 * oracle compares the elements pair by pair and tries all permutations.
 */
class UnorderedTextsPropertiesTest {

  /** Texts that are equal, equal to some others only, or different under the rules below. */
  private static final List<JsonValue> TEXTS = List.of(
      JsonValue.of("{}"),
      JsonValue.of(" {}"),
      JsonValue.of("{ }"),
      JsonValue.of("{\"load\":1}"),
      JsonValue.of("{\"load\":2.0}"),
      JsonValue.of("{\"load\":\"a\"}"),
      JsonValue.of("{\"b\":1}"),
      JsonValue.of("{\"b\": 1}"),
      JsonValue.of("{\"b\": 2}"),
      JsonValue.of("{\"load\":1,\"b\": 2}"),
      JsonValue.of("{\"load\":1,N}"),
      JsonValue.of("{N}"),
      JsonValue.of("{\"b\":1,\"load\":1}"),
      JsonValue.of("{\"b\":\"{\\\"load\\\":1}\"}"),
      JsonValue.of("{\"b\":\"{}\"}"),
      JsonValue.of("{\"b\":\" {}\"}"),
      JsonValue.of("[]"),
      JsonValue.of("[{\"load\":1}]"),
      JsonValue.of("[ {} ]"),
      JsonValue.of("[ 1, {\"load\": 1}]"),
      JsonValue.of("[{\"load\":2},1]"),
      JsonValue.of("{"),
      JsonObject.EMPTY);

  @Property(edgeCases = EdgeCasesMode.NONE, tries = 3000)
  void unordered_arrays_are_equal_if_their_elements_can_be_paired(
      @ForAll("elements") List<JsonValue> left,
      @ForAll("elements") List<JsonValue> right,
      @ForAll("rules") List<ComparisonRule> rule,
      @ForAll boolean isDeep)
      throws IOException {
    ComparisonRule[] rules = with(rule, UnorderedArray.at(isDeep ? "/output/**" : "/output"));

    int pairs = mostPairs(left, right, rules, 0, new boolean[right.size()]);

    assertThat(compare(JsonArray.copyOf(left), JsonArray.copyOf(right), rules))
        .hasSize(left.size() + right.size() - 2 * pairs);
  }

  @Property(edgeCases = EdgeCasesMode.NONE, tries = 3000)
  void arrays_with_equal_elements_are_equal_and_unordered_ones_in_any_order(
      @ForAll("elements") List<JsonValue> left,
      @ForAll("rules") List<ComparisonRule> rule,
      @ForAll Random random)
      throws IOException {
    ComparisonRule[] rules = with(rule, UnorderedArray.at("/output"));
    List<JsonValue> right = new ArrayList<>();
    for (JsonValue element : left) {
      List<JsonValue> equal = new ArrayList<>(List.of(element));
      for (JsonValue text : TEXTS) {
        if (areEqual(element, text, rules)) {
          equal.add(text);
        }
      }
      right.add(equal.get(random.nextInt(equal.size())));
    }
    assertThat(compare(JsonArray.copyOf(left), JsonArray.copyOf(right), with(rule)))
        .isEmpty();
    Collections.shuffle(right, random);

    assertThat(compare(JsonArray.copyOf(left), JsonArray.copyOf(right), rules)).isEmpty();
  }

  @Property(edgeCases = EdgeCasesMode.NONE, tries = 3000)
  void ordered_arrays_are_equal_if_their_elements_are(
      @ForAll("elements") List<JsonValue> left,
      @ForAll("elements") List<JsonValue> right,
      @ForAll("rules") List<ComparisonRule> rule)
      throws IOException {
    boolean areEqual = left.size() == right.size();
    for (int i = 0; areEqual && i < left.size(); i++) {
      areEqual = areEqual(left.get(i), right.get(i), with(rule));
    }

    assertThat(
            compare(JsonArray.copyOf(left), JsonArray.copyOf(right), with(rule)).isEmpty())
        .isEqualTo(areEqual);
  }

  @Test
  void text_is_paired_with_one_in_which_the_rule_selects_nothing() throws IOException {
    ComparisonRule[] rules = {Ignore.at("/output/*/load"), UnorderedArray.at("/output")};

    assertThat(
            compare(JsonArray.of("{\"load\":1}", "{}", "x"), JsonArray.of("x", "{}", " {}"), rules))
        .isEmpty();
    assertThat(
            compare(JsonArray.of("{\"load\":1}", "{}"), JsonArray.of(" {}", "{\"load\":2}"), rules))
        .isEmpty();
    assertThat(compare(
            JsonArray.of("{}", "{ }", "{\"load\":1}"), JsonArray.of(" {}", "{}", "[]"), rules))
        .hasSize(2);
  }

  @Test
  void element_is_paired_with_another_if_its_partner_is_the_only_one_of_another_element()
      throws IOException {
    String selected = "{\"load\":1}";
    ComparisonRule[] rules = {Ignore.at("/output/*/*/load"), UnorderedArray.at("/output")};

    assertThat(compare(
            JsonArray.of(
                JsonObject.of("a", selected, "b", "{}"), JsonObject.of("a", "{}", "b", selected)),
            JsonArray.of(JsonObject.of("a", "{}", "b", "{}"), JsonObject.of("a", " {}", "b", "{}")),
            rules))
        .isEmpty();
  }

  @Test
  void many_equal_texts_are_paired() throws IOException {
    JsonValue selected = JsonValue.of("{\"load\":1}");
    JsonValue other = JsonValue.of("{ }");
    JsonValue[] left = new JsonValue[2_000];
    Arrays.fill(left, selected);
    JsonValue[] right = left.clone();
    IntStream.range(0, 900).forEach(i -> left[i] = other);
    IntStream.range(0, 1_100).forEach(i -> right[i] = JsonValue.of("{}"));

    assertThat(compare(
            JsonArray.of((Object[]) left),
            JsonArray.of((Object[]) right),
            Ignore.at("/output/*/load"),
            UnorderedArray.at("/output")))
        .isEmpty();
  }

  @Test
  void many_elements_are_paired_if_the_only_partners_of_some_have_others() throws IOException {
    int half = 251;
    String selected = "{\"load\":1}";
    List<JsonValue> left = new ArrayList<>();
    left.addAll(Collections.nCopies(half, (JsonValue) JsonObject.of("a", selected, "b", "{}")));
    left.addAll(Collections.nCopies(half, JsonObject.of("a", "{}", "b", selected)));
    List<JsonValue> right = new ArrayList<>();
    right.addAll(Collections.nCopies(half, (JsonValue) JsonObject.of("a", "{}", "b", "{}")));
    right.addAll(Collections.nCopies(half, JsonObject.of("a", " {}", "b", "{}")));

    assertThat(compare(
            JsonArray.copyOf(left),
            JsonArray.copyOf(right),
            Ignore.at("/output/*/*/load"),
            UnorderedArray.at("/output")))
        .isEmpty();
  }

  @Test
  void texts_that_are_equal_when_normalized_are_paired_although_they_hold_different_values()
      throws IOException {
    assertThat(compare(
            JsonArray.of("{\"load\":1}", "{\"n\": 5}", "zzz"),
            JsonArray.of("{\"n\": 6}", "{\"load\":2}", "yyy"),
            Ignore.at("/output/*/load"),
            UnorderedArray.at("/output"),
            Normalizer.pattern("num", "\"n\": [0-9]+", "N")))
        .extracting(change -> change.sides().left(), change -> change.sides().right())
        .containsExactly(tuple(JsonValue.of("zzz"), null), tuple(null, JsonValue.of("yyy")));
  }

  @Test
  void text_is_paired_with_one_that_is_not_json_but_equal_when_normalized() throws IOException {
    assertThat(compare(
            JsonArray.of("{\"load\":2,\"b\": 2}", "{\"load\":1,\"b\": 2}"),
            JsonArray.of("{\"load\":1,N}", "x"),
            Ignore.at("/output/*/load"),
            UnorderedArray.at("/output"),
            Normalizer.pattern("number", "\"b\": [0-9]+", "N")))
        .hasSize(2);
  }

  @Test
  void many_texts_that_differ_in_ignored_values_are_paired() throws IOException {
    Object[] left =
        IntStream.range(0, 600).mapToObj(i -> "{\"load\":" + i + "}").toArray();
    Object[] right =
        IntStream.range(0, 600).mapToObj(i -> "{\"load\": " + i + "}").toArray();
    left[0] = "{}";

    assertThat(compare(
            JsonArray.of(left),
            JsonArray.of(right),
            Ignore.at("/output/*/load"),
            UnorderedArray.at("/output")))
        .isEmpty();
  }

  @Test
  void arrays_with_too_many_different_forms_of_equal_texts_are_reported_as_a_whole()
      throws IOException {
    ComparisonRule[] rules = {Ignore.at("/output/*/load"), UnorderedArray.at("/output")};
    Object[] left = IntStream.range(0, 501).mapToObj(i -> " ".repeat(i) + "{}").toArray();
    Object[] right = IntStream.range(0, 500).mapToObj(i -> "{}" + " ".repeat(i)).toArray();
    left[500] = "{\"load\":1}";

    assertThat(compare(JsonArray.of(left), JsonArray.of(right), rules))
        .extracting(ValueChange::pointer)
        .containsExactly("/output");
    assertThat(compare(JsonArray.of(left), JsonArray.of(left), rules)).isEmpty();
  }

  /** The largest number of pairs of equal elements, of which the left ones follow an index. */
  private static int mostPairs(
      List<JsonValue> left,
      List<JsonValue> right,
      ComparisonRule[] rules,
      int from,
      boolean[] isTaken)
      throws IOException {
    if (from == left.size()) {
      return 0;
    }
    int most = mostPairs(left, right, rules, from + 1, isTaken);
    for (int r = 0; r < right.size(); r++) {
      if (!isTaken[r] && areEqual(left.get(from), right.get(r), rules)) {
        isTaken[r] = true;
        most = Math.max(most, 1 + mostPairs(left, right, rules, from + 1, isTaken));
        isTaken[r] = false;
      }
    }
    return most;
  }

  /** Whether two elements are equal at the place of an array's element. */
  private static boolean areEqual(JsonValue left, JsonValue right, ComparisonRule... rules)
      throws IOException {
    return compare(JsonObject.of("0", left), JsonObject.of("0", right), rules).isEmpty();
  }

  private static List<ValueChange> compare(JsonValue left, JsonValue right, ComparisonRule... rules)
      throws IOException {
    return CompiledRules.of(List.of(rules), CanonicalJson.SERDE)
        .compare(
            TestValues.STEP,
            JsonObject.of("output", left),
            JsonObject.of("output", right),
            name -> DivergenceKind.OUTPUT);
  }

  @Provide
  Arbitrary<List<JsonValue>> elements() {
    Arbitrary<JsonValue> texts = Arbitraries.of(TEXTS);
    Arbitrary<JsonValue> objects =
        Combinators.combine(texts, texts).as((a, b) -> JsonObject.of("a", a, "c", b));
    Arbitrary<JsonValue> arrays = texts.list().ofMaxSize(2).map(JsonArray::copyOf);
    return Arbitraries.oneOf(texts, texts, texts, objects, arrays)
        .list()
        .ofMinSize(1)
        .ofMaxSize(4);
  }

  /** A rule that selects something in texts, alone or with one that rewrites texts. */
  @Provide
  Arbitrary<List<ComparisonRule>> rules() {
    Arbitrary<ComparisonRule> selecting = Arbitraries.of(
        Ignore.at("/output/*/load"),
        Ignore.at("/output/**/load"),
        Ignore.at("/output/*/*/load"),
        Ignore.at("/output/*/b/load"),
        Tolerance.parse("/output/**/load=0"),
        FuzzyText.atLeast(1).at("/output/**/load"));
    Arbitrary<ComparisonRule> rewriting = Arbitraries.of(
        Normalizer.pattern("number", "\"b\": [0-9]+", "N"),
        Normalizer.pattern("objects", "^ *\\{.*", "{ }"),
        Normalizer.pattern("names", "\"b\"", "\"c\""),
        Normalizer.pattern("numbers", "[0-9.]+", "0"));
    return Arbitraries.oneOf(
        selecting.map(List::of), Combinators.combine(selecting, rewriting).as(List::of));
  }

  private static ComparisonRule[] with(List<ComparisonRule> rules, ComparisonRule... others) {
    return Stream.concat(rules.stream(), Stream.of(others)).toArray(ComparisonRule[]::new);
  }
}
