package dev.agentreplay.engine.diff;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The rules of one comparison, and how often each applied. Not safe for use by several threads.
 *
 * <p>What is compared of an event is its view: an object, whose members are what the event says.
 */
final class CompiledRules {

  private final List<ComparisonRule> rules;
  private final CanonicalJson canonical;
  private final ValueNormalizer normalizer;
  private final ValueDigests digests;
  private final CloseRules close;
  private final int maxElements;
  private long wholeArrays;

  private CompiledRules(List<ComparisonRule> rules, CanonicalJson canonical, DiffLimits limits) {
    this.rules = List.copyOf(rules);
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

  /** Whether no rule looks into values. */
  boolean isExact() {
    return rules.stream().allMatch(CompiledRules::isOfTools);
  }

  /** Whether the calls of a tool are left out of the comparison; counts one that is. */
  boolean ignoresTool(String tool, Side side) {
    for (int i = 0; i < rules.size(); i++) {
      if (rules.get(i) instanceof Ignore ignore && tool.equals(ignore.tool())) {
        normalizer.count(i, side);
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
    boolean untouched = rules.stream().allMatch(rule -> isOfTools(rule) || isOfPairs(rule));
    return untouched ? view : normalizer.read(view, side).normal(digests).asObject();
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
    ComparedValue before = normalizer.read(left);
    ComparedValue after = normalizer.read(right);
    ValueComparison comparison =
        new ValueComparison(step, comparable(before, after), close, maxElements);
    List<ValueChange> changes = comparison.compare(before, after, kinds);
    wholeArrays += comparison.wholeArrays();
    return changes;
  }

  /** The rules, and how often each applied; at the end the limit of arrays, if it did. */
  List<AppliedRule> applied() {
    List<AppliedRule> applied = new ArrayList<>();
    for (int i = 0; i < rules.size(); i++) {
      applied.add(new AppliedRule(
          rules.get(i).description() + close.remark(i),
          normalizer.counted(i, Side.LEFT),
          normalizer.counted(i, Side.RIGHT)));
    }
    if (wholeArrays > 0) {
      applied.add(new AppliedRule(
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

  private static boolean isOfTools(ComparisonRule rule) {
    return rule instanceof Ignore ignore && ignore.tool() != null;
  }

  private static boolean isOfPairs(ComparisonRule rule) {
    return rule instanceof Tolerance || rule instanceof FuzzyText || rule instanceof SemanticTexts;
  }
}
