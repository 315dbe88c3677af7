package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.engine.diff.rule.Tolerance;
import dev.agentreplay.engine.diff.rule.UnorderedArray;
import dev.agentreplay.engine.diff.value.Side;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Properties of every comparison of two values. */
class CompiledRulesTest {

  @Property(edgeCases = EdgeCasesMode.NONE)
  void nothing_differs_exactly_when_the_hashes_are_equal(
      @ForAll("values") JsonValue left,
      @ForAll Random random,
      @ForAll("rules") List<ComparisonRule> rules,
      @ForAll("canonicals") CanonicalJson canonical)
      throws IOException {
    JsonValue right = TestValues.edited(left, random);
    assertThat(compare(rules, left, right, canonical).isEmpty())
        .isEqualTo(hash(rules, left, Side.LEFT, canonical)
            .equals(hash(rules, right, Side.RIGHT, canonical)));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void without_rules_nothing_differs_exactly_when_canonical_forms_are_equal(
      @ForAll("values") JsonValue left, @ForAll("values") JsonValue right) throws IOException {
    assertThat(compare(List.of(), left, right, CanonicalJson.SERDE).isEmpty())
        .isEqualTo(CanonicalJson.SERDE.text(left).equals(CanonicalJson.SERDE.text(right)));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void changes_of_right_and_left_are_those_of_left_and_right(
      @ForAll("values") JsonValue left, @ForAll("values") JsonValue right) throws IOException {
    List<ComparisonRule> rules = List.of(Ignore.at("/output/**/b"), Tolerance.parse("/**=0.1"));
    List<ValueChange> mirrored = compare(rules, right, left, CanonicalJson.SERDE).stream()
        .map(change -> TestResults.valueChange(
            change.kind(),
            change.rightPointer(),
            change.pointer(),
            change.after(),
            change.before(),
            change.closeness()))
        .toList();

    assertThat(compare(rules, left, right, CanonicalJson.SERDE)).isEqualTo(mirrored);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void changes_are_as_many_whichever_value_comes_first(
      @ForAll("values") JsonValue left,
      @ForAll("values") JsonValue right,
      @ForAll("rules") List<ComparisonRule> rules)
      throws IOException {
    assertThat(compare(rules, left, right, CanonicalJson.SERDE))
        .hasSameSizeAs(compare(rules, right, left, CanonicalJson.SERDE));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void pointers_lead_to_what_differs(
      @ForAll("values") JsonValue left,
      @ForAll("values") JsonValue right,
      @ForAll("rules") List<ComparisonRule> rules)
      throws IOException {
    for (ValueChange change : compare(rules, left, right, CanonicalJson.SERDE)) {
      if (change.before() != null) {
        assertThat(view(left).find(change.pointer())).isSameAs(change.before());
      }
      if (change.after() != null) {
        assertThat(view(right).find(change.rightPointer())).isSameAs(change.after());
      }
      assertThat(change.before() == null && change.after() == null).isFalse();
    }
  }

  /** In arrays another alignment may follow from what is equal. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void ignoring_more_adds_no_change_where_nothing_is_aligned(
      @ForAll("objects") JsonValue left,
      @ForAll("objects") JsonValue right,
      @ForAll("rules") List<ComparisonRule> rules,
      @ForAll("ignored") Ignore more)
      throws IOException {
    List<ComparisonRule> all = new ArrayList<>(rules);
    all.add(more);
    assertThat(compare(all, left, right, CanonicalJson.SERDE))
        .isSubsetOf(compare(rules, left, right, CanonicalJson.SERDE));
  }

  private static List<ValueChange> compare(
      List<ComparisonRule> rules, JsonValue left, JsonValue right, CanonicalJson canonical)
      throws IOException {
    return CompiledRules.of(rules, canonical)
        .compare(TestValues.STEP, view(left), view(right), name -> DivergenceKind.OUTPUT);
  }

  private static ContentHash hash(
      List<ComparisonRule> rules, JsonValue value, Side side, CanonicalJson canonical) {
    JsonObject normal = CompiledRules.of(rules, canonical).normalize(view(value), side);
    return CanonicalJson.comparableHash(normal, canonical);
  }

  private static JsonObject view(JsonValue value) {
    return JsonObject.of("output", value);
  }

  @Provide
  Arbitrary<JsonValue> values() {
    return TestValues.values();
  }

  @Provide
  Arbitrary<JsonValue> objects() {
    return Arbitraries.recursive(
        () -> Arbitraries.of(JsonValue.of(1), JsonValue.of(2), JsonValue.of("Nov 21 08:17")),
        inner -> Arbitraries.maps(Arbitraries.of("a", "b", "c", "0"), inner)
            .ofMaxSize(4)
            .map((Map<String, JsonValue> map) -> JsonValue.of(map)),
        1,
        3);
  }

  @Provide
  Arbitrary<CanonicalJson> canonicals() {
    return Arbitraries.of(CanonicalJson.SERDE, CanonicalJson.JCS);
  }

  @Provide
  Arbitrary<Ignore> ignored() {
    return Arbitraries.of(
        Ignore.at("/output/a"),
        Ignore.at("/output/**/b"),
        Ignore.at("/output/*/0"),
        Ignore.timestamps());
  }

  @Provide
  Arbitrary<List<ComparisonRule>> rules() {
    return Arbitraries.<ComparisonRule>of(
            Ignore.at("/output/a"),
            Ignore.at("/output/**/b"),
            Ignore.at("/output/*/0"),
            Ignore.durations(),
            Normalizer.pattern("space", "[ab]", " "),
            UnorderedArray.at("/output/**"),
            UnorderedArray.at("/output/a").keyedBy("b"),
            UnorderedArray.at("/output").keyedBy("a"))
        .list()
        .ofMaxSize(3);
  }
}
