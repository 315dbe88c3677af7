package dev.agentreplay.engine.diff;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.engine.diff.ValueChange.Withheld;
import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.engine.diff.rule.FuzzyText;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.SemanticTexts;
import dev.agentreplay.engine.diff.rule.Tolerance;
import dev.agentreplay.engine.diff.value.CloseRules;
import dev.agentreplay.engine.diff.value.ComparedValue;
import dev.agentreplay.engine.diff.value.CompiledRule;
import dev.agentreplay.engine.diff.value.RuleCounts;
import dev.agentreplay.engine.diff.value.Side;
import dev.agentreplay.engine.diff.value.ValueDigests;
import dev.agentreplay.engine.diff.value.ValueNormalizer;
import dev.agentreplay.engine.lines.Unshared;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The compiled rules of one comparison, with the number of times that each applied. Not safe for
 * use by several threads.
 *
 * <p>An event is compared by its view, an object with the compared members of the event (see
 * {@link EventView}).
 */
final class CompiledRules {

  private final List<CompiledRule> rules;
  private final CanonicalJson canonical;
  private final ValueNormalizer normalizer;
  private final ValueDigests digests;
  private final CloseRules close;
  private final int maxElements;
  private boolean isDetailed = true;
  private boolean isIdentified = true;
  private long wholeArrays;

  private CompiledRules(List<ComparisonRule> rules, CanonicalJson canonical, DiffLimits limits) {
    this.rules = rules.stream().map(CompiledRule::of).toList();
    this.canonical = canonical;
    this.normalizer = new ValueNormalizer(this.rules);
    this.digests = new ValueDigests(canonical);
    this.close = new CloseRules(this.rules, normalizer);
    this.maxElements = limits.maxElements();
  }

  /** Compiles rules within the default limits. */
  static CompiledRules of(List<ComparisonRule> rules, CanonicalJson canonical) {
    return of(rules, canonical, DiffLimits.defaults());
  }

  /** Compiles rules. Values are equal if they have the same canonical form. */
  static CompiledRules of(List<ComparisonRule> rules, CanonicalJson canonical, DiffLimits limits) {
    return new CompiledRules(rules, canonical, limits);
  }

  /** Sets whether the following comparisons report the replaced parts of texts that differ. */
  void tellReplacements(boolean areTold) {
    isDetailed = areTold;
  }

  /** Sets whether the following comparisons state the new values for fingerprints. */
  void tellPlaces(boolean areTold) {
    isIdentified = areTold;
  }

  /** Whether no rule depends on the values in events. */
  boolean isExact() {
    return rules.stream().allMatch(CompiledRules::isOfTools);
  }

  /**
   * Whether values with different normalized forms may be equal: a rule judges pairs of values, or
   * may select something in only one of two texts that hold JSON.
   */
  boolean isTolerant() {
    return rules.stream().anyMatch(rule -> isOfPairs(rule) || rule.path() != null);
  }

  /** Whether the calls of a tool are left out of the comparison; if so, counts one. */
  boolean ignoresTool(String tool, Side side) {
    for (int i = 0; i < rules.size(); i++) {
      if (rules.get(i).rule() instanceof Ignore.Tool ignored && tool.equals(ignored.name())) {
        normalizer.counts().count(i, side);
        return true;
      }
    }
    return false;
  }

  /**
   * Returns a view as it is hashed: without ignored values, with normalized texts, and with
   * unordered arrays in an order that depends only on their elements. Returns the same instance if
   * no rule applies to it.
   *
   * @param side the session for which the rules are counted; null if they are not
   */
  JsonObject normalize(JsonObject view, @Nullable Side side) {
    return touchesNothing() ? view : normalizer.read(view, side).normal(digests).asObject();
  }

  private boolean touchesNothing() {
    return rules.stream().allMatch(rule -> isOfTools(rule) || isOfPairs(rule));
  }

  /**
   * The normalized form of one member of a view.
   *
   * @param hash the hash of its normalized value; null when the whole member is ignored
   * @param counts the number of times that each rule applied in it
   */
  record NormalMember(@Nullable ContentHash hash, RuleCounts counts) {}

  /** Normalizes a member of a view that is hashed by itself. Does not count the rules yet. */
  NormalMember normalize(String name, JsonValue value, Side side) {
    ValueNormalizer counting = new ValueNormalizer(rules);
    JsonValue normal = value;
    if (!touchesNothing()) {
      ComparedValue compared = counting.readMember(name, value, side);
      normal = compared == null ? null : compared.normal(digests);
    }
    return new NormalMember(
        normal == null ? null : CanonicalJson.comparableHash(normal, canonical), counting.counts());
  }

  /** Counts the rules that applied in a normalized member, each time that the member is used. */
  void count(RuleCounts counts) {
    normalizer.counts().add(counts);
  }

  /**
   * Returns the differences between two views under all rules, sorted by kind and then by the name
   * of the member. There are none if the hashes of the normalized views are equal. If they are not,
   * there are some, unless the comparison {@link #isTolerant}.
   *
   * @param kinds returns the kind of a difference in a member of the view
   */
  List<ValueChange> compare(
      Step step, JsonObject left, JsonObject right, Function<String, DivergenceKind> kinds)
      throws IOException {
    return compare(step, left, right, kinds, normalizer, close);
  }

  private List<ValueChange> compare(
      Step step,
      JsonObject left,
      JsonObject right,
      Function<String, DivergenceKind> kinds,
      ValueNormalizer counting,
      CloseRules counted)
      throws IOException {
    ComparedValue before = counting.read(left);
    ComparedValue after = counting.read(right);
    ValueComparison comparison = new ValueComparison(
        step, comparable(before, after), counting, counted, maxElements, isDetailed, isIdentified);
    List<ValueChange> changes = comparison.compare(before, after, kinds);
    wholeArrays += comparison.wholeArrays();
    return changes;
  }

  /**
   * The differences in one member of two views.
   *
   * @param changes the places that differ
   * @param counts the number of times that each rule applied
   * @param wholeArrays the number of pairs of arrays that were compared as a whole
   */
  record MemberComparison(List<ValueChange> changes, RuleCounts counts, long wholeArrays) {}

  /**
   * Whether two values always have the same differences; false when a {@link SemanticTexts} rule
   * judges them, whose comparator may depend on the step.
   */
  boolean isRepeatable() {
    return rules.stream().noneMatch(rule -> rule.rule() instanceof SemanticTexts);
  }

  /** Compares a member of two views by itself. Does not count the rules yet. */
  MemberComparison compare(
      Step step, String name, JsonValue left, JsonValue right, DivergenceKind kind)
      throws IOException {
    ValueNormalizer counting = new ValueNormalizer(rules);
    long wholeBefore = wholeArrays;
    List<ValueChange> changes = compare(
        step,
        JsonObject.of(name, left),
        JsonObject.of(name, right),
        member -> kind,
        counting,
        new CloseRules(rules, counting));
    long whole = wholeArrays - wholeBefore;
    wholeArrays = wholeBefore;
    return new MemberComparison(changes, counting.counts(), whole);
  }

  /** Counts the rules of the comparison of a member, each time that its result is used. */
  void count(MemberComparison comparison) {
    count(comparison.counts());
    wholeArrays += comparison.wholeArrays();
  }

  /**
   * Returns values that are not compared because a published copy does not show them, without those
   * that are ignored.
   */
  List<ValueChange> withheld(List<Unshared> values) {
    return values.stream().filter(this::isCompared).map(CompiledRules::withheld).toList();
  }

  private boolean isCompared(Unshared value) {
    List<String> tokens = value.pointer().tokens();
    JsonValue nested = JsonBoolean.TRUE;
    for (int i = tokens.size() - 1; i >= 0; i--) {
      nested = JsonObject.of(tokens.get(i), nested);
    }
    return value.pointer().find(normalize(nested.asObject(), null)) != null;
  }

  private static ValueChange withheld(Unshared value) {
    String pointer = value.pointer().toString();
    boolean hasValue = value.left() != null || value.right() != null;
    return new Results.ValueChangeData(
        DivergenceKind.WITHHELD,
        pointer,
        pointer,
        hasValue
            ? Sides.of(value.left(), value.right())
            : new Sides.Both<>(JsonNull.NULL, JsonNull.NULL),
        null,
        new Results.WithheldData(reason(value.ofLeft()), reason(value.ofRight())),
        null);
  }

  private static Withheld.@Nullable Reason reason(Unshared.@Nullable Reason reason) {
    return reason == null ? null : new Withheld.Reason(reason.policy(), reason.rule());
  }

  /**
   * The rules, with the number of times that each applied; last the limit of arrays, if it applied.
   */
  List<AppliedRule> applied() {
    List<AppliedRule> applied = new ArrayList<>();
    for (int i = 0; i < rules.size(); i++) {
      applied.add(new Results.AppliedRuleData(
          rules.get(i).rule().description() + close.remark(i),
          normalizer.counts().get(i, Side.LEFT),
          normalizer.counts().get(i, Side.RIGHT)));
    }
    if (wholeArrays > 0) {
      applied.add(new Results.AppliedRuleData(
          "arrays of more than " + maxElements + " elements compared as a whole",
          wholeArrays,
          wholeArrays));
    }
    return applied;
  }

  /**
   * The digests in the form in which views are hashed: {@code serde} where JCS would round an
   * integer.
   */
  private ValueDigests comparable(ComparedValue left, ComparedValue right) {
    if (canonical.canonicalization() != Canonicalization.JCS) {
      return digests;
    }
    try {
      canonical.hash(left.normal(digests));
      canonical.hash(right.normal(digests));
      return digests;
    } catch (IllegalArgumentException wouldBeRounded) {
      return new ValueDigests(CanonicalJson.SERDE);
    }
  }

  private static boolean isOfTools(CompiledRule rule) {
    return rule.rule() instanceof Ignore.Tool;
  }

  private static boolean isOfPairs(CompiledRule rule) {
    return rule.rule() instanceof Tolerance
        || rule.rule() instanceof FuzzyText
        || rule.rule() instanceof SemanticTexts;
  }
}
