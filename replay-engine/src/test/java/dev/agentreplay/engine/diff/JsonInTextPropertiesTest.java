package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.UnorderedArray;
import dev.agentreplay.engine.diff.value.Side;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Properties of the comparison of texts that hold JSON. */
class JsonInTextPropertiesTest {

  @Property(edgeCases = EdgeCasesMode.NONE)
  void text_and_value_have_the_same_verdict_if_a_rule_selects_something(
      @ForAll("containers") JsonValue left,
      @ForAll Random random,
      @ForAll("rules") ComparisonRule rule)
      throws IOException {
    JsonValue right = TestValues.edited(left, random);
    boolean isSelected = isSelected(left, rule) || isSelected(right, rule);
    boolean areEqual = isSelected
        ? compare(left, right, rule).isEmpty()
        : left.toString().equals(right.toString());

    assertThat(compare(text(left), text(right), rule).isEmpty()).isEqualTo(areEqual);
    assertThat(compare(text(right), text(left), rule).isEmpty()).isEqualTo(areEqual);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void equal_texts_never_differ(
      @ForAll("containers") JsonValue value,
      @ForAll Random random,
      @ForAll("rules") ComparisonRule rule)
      throws IOException {
    JsonValue nested = withTexts(value, random);
    assertThat(compare(nested, nested, rule)).isEmpty();
    assertThat(compare(text(nested), text(nested), rule)).isEmpty();
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void without_rules_the_exact_texts_are_compared(
      @ForAll("containers") JsonValue left, @ForAll("containers") JsonValue right)
      throws IOException {
    assertThat(compare(text(left), text(right)).isEmpty())
        .isEqualTo(left.toString().equals(right.toString()));
    JsonValue spaced = JsonValue.of(" " + left);
    assertThat(compare(text(left), spaced)).hasSize(1);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void nothing_differs_if_the_hashes_of_the_normalized_views_are_equal(
      @ForAll("containers") JsonValue value,
      @ForAll Random random,
      @ForAll("rules") ComparisonRule rule)
      throws IOException {
    JsonValue left = withTexts(value, random);
    JsonValue right = withTexts(TestValues.edited(value, random), random);
    if (normal(left, rule).equals(normal(right, rule))) {
      assertThat(compare(left, right, rule)).isEmpty();
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void pointers_lead_to_what_differs(
      @ForAll("containers") JsonValue value,
      @ForAll Random random,
      @ForAll("rules") ComparisonRule rule)
      throws IOException {
    JsonValue left = withTexts(value, random);
    JsonValue right = withTexts(TestValues.edited(value, random), random);
    for (ValueChange change : compare(left, right, rule)) {
      assertThat(find(left, change.pointer(), change.before())).isEqualTo(change.before());
      assertThat(find(right, change.rightPointer(), change.after())).isEqualTo(change.after());
    }
    assertThat(compare(right, left, rule)).hasSameSizeAs(compare(left, right, rule));
  }

  private static JsonValue find(JsonValue output, String pointer, JsonValue expected) {
    return expected == null ? null : JsonText.find(view(output), JsonPointer.parse(pointer));
  }

  /** Whether the rule selects something in the value. */
  private static boolean isSelected(JsonValue value, ComparisonRule rule) {
    CompiledRules rules = CompiledRules.of(List.of(rule), CanonicalJson.SERDE);
    rules.normalize(view(value), Side.LEFT);
    return rules.applied().get(0).left() > 0;
  }

  /** The value with containers in it, here and there, as texts. */
  private static JsonValue withTexts(JsonValue value, Random random) {
    JsonValue inner = value;
    if (value instanceof JsonObject object) {
      JsonObject.Builder members = JsonObject.builder();
      object.forEach((name, member) -> members.add(name, withTexts(member, random)));
      inner = members.build();
    } else if (value instanceof JsonArray array) {
      List<JsonValue> elements = new ArrayList<>();
      array.forEach(element -> elements.add(withTexts(element, random)));
      inner = JsonArray.copyOf(elements);
    }
    return random.nextInt(3) == 0 ? text(inner) : inner;
  }

  private static JsonString text(JsonValue value) {
    return JsonString.of(value.toString());
  }

  private static List<ValueChange> compare(JsonValue left, JsonValue right, ComparisonRule... rules)
      throws IOException {
    return CompiledRules.of(List.of(rules), CanonicalJson.SERDE)
        .compare(TestValues.STEP, view(left), view(right), name -> DivergenceKind.OUTPUT);
  }

  private static JsonObject normal(JsonValue value, ComparisonRule rule) {
    return CompiledRules.of(List.of(rule), CanonicalJson.SERDE).normalize(view(value), null);
  }

  private static JsonObject view(JsonValue value) {
    return JsonObject.of("output", value);
  }

  @Provide
  Arbitrary<JsonValue> containers() {
    return TestValues.values().filter(value -> value.depth() > 0);
  }

  @Provide
  Arbitrary<ComparisonRule> rules() {
    return Arbitraries.of(
        Ignore.at("/output/a"),
        Ignore.at("/output/**/b"),
        Ignore.at("/output/*/0"),
        Ignore.at("/output/*"),
        Ignore.at("/output/a~1b/~0"),
        UnorderedArray.at("/output/**"),
        UnorderedArray.at("/output/a").keyedBy("b"),
        UnorderedArray.at("/output").keyedBy("a"));
  }
}
