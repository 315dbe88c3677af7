package dev.agentreplay.engine.diff;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.Canonicalization;
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
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one comparison, and how often each applied. Not safe for use by several threads.
 *
 * <p>What is compared of an event is its view: an object, whose members are what the event says.
 */
final class CompiledRules {

  private final List<CompiledRule> rules;
  private final CanonicalJson canonical;
  private final ValueNormalizer normalizer;
  private final ValueDigests digests;
  private final CloseRules close;
  private final int maxElements;
  private boolean isDetailed = true;
  private long wholeArrays;

  private CompiledRules(List<ComparisonRule> rules, CanonicalJson canonical, DiffLimits limits) {
    this.rules = rules.stream().map(CompiledRule::of).toList();
    this.canonical = canonical;
    this.normalizer = new ValueNormalizer(this.rules);
    this.digests = new ValueDigests(canonical);
    this.close = new CloseRules(this.rules, normalizer);
    this.maxElements = limits.maxElements();
  }

  /** The same, within the default limits. */
  static CompiledRules of(List<ComparisonRule> rules, CanonicalJson canonical) {
    return of(rules, canonical, DiffLimits.defaults());
  }

  /** Rules, for values that are equal when this canonical form of them is. */
  static CompiledRules of(List<ComparisonRule> rules, CanonicalJson canonical, DiffLimits limits) {
    return new CompiledRules(rules, canonical, limits);
  }

  /** Sets whether from now on comparisons tell the replaced parts of texts that differ. */
  void tellReplacements(boolean areTold) {
    isDetailed = areTold;
  }

  /** Whether no rule looks into values. */
  boolean isExact() {
    return rules.stream().allMatch(CompiledRules::isOfTools);
  }

  /** Whether the calls of a tool are left out of the comparison; counts one that is. */
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
   * What is hashed of a view: what is ignored left out, texts normalised, unordered arrays in an
   * order that depends on nothing but their elements. The same instance if no rule touches it.
   */
  JsonObject normalize(JsonObject view, Side side) {
    return touchesNothing() ? view : normalizer.read(view, side).normal(digests).asObject();
  }

  private boolean touchesNothing() {
    return rules.stream().allMatch(rule -> isOfTools(rule) || isOfPairs(rule));
  }

  /**
   * What is hashed of one member of a view.
   *
   * @param hash the hash of what is compared of it; null when it is ignored as a whole
   * @param counts how often rules applied in it
   */
  record NormalMember(@Nullable ContentHash hash, RuleCounts counts) {}

  /** Normalises a member of a view that is hashed by itself. Nothing is counted yet. */
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

  /** Counts what was not counted when it was made, or once more what is used once more. */
  void count(RuleCounts counts) {
    normalizer.counts().add(counts);
  }

  /**
   * Where two views differ under all rules, the kinds that come first before others, and members by
   * name. Without tolerances and rules for texts there is none exactly when the hashes of what is
   * normalised are equal.
   *
   * @param kinds gives the kind of a member of the view
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
        step, comparable(before, after), counting, counted, maxElements, isDetailed);
    List<ValueChange> changes = comparison.compare(before, after, kinds);
    wholeArrays += comparison.wholeArrays();
    return changes;
  }

  /**
   * How one member of two views differs.
   *
   * @param changes where
   * @param counts how often rules applied
   * @param wholeArrays how many pairs of arrays were compared as a whole
   */
  record MemberComparison(List<ValueChange> changes, RuleCounts counts, long wholeArrays) {}

  /** Whether two values always differ alike: not where somebody is asked about a step. */
  boolean isRepeatable() {
    return rules.stream().noneMatch(rule -> rule.rule() instanceof SemanticTexts);
  }

  /** Compares a member of two views by itself. Nothing is counted yet. */
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

  /** Counts what a comparison of a member found, each time that it is used. */
  void count(MemberComparison comparison) {
    count(comparison.counts());
    wholeArrays += comparison.wholeArrays();
  }

  /** The rules, and how often each applied; at the end the limit of arrays, if it did. */
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
          "whole arrays of more than " + maxElements + " elements", wholeArrays, wholeArrays));
    }
    return applied;
  }

  /** As views are hashed: in the form {@code serde} where this one would round an integer. */
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
