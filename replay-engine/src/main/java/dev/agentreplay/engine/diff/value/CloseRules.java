package dev.agentreplay.engine.diff.value;

import dev.agentreplay.engine.diff.pattern.TextSimilarity;
import dev.agentreplay.engine.diff.rule.Closeness;
import dev.agentreplay.engine.diff.rule.FuzzyText;
import dev.agentreplay.engine.diff.rule.SemanticComparator;
import dev.agentreplay.engine.diff.rule.SemanticComparator.Judgment;
import dev.agentreplay.engine.diff.rule.SemanticTexts;
import dev.agentreplay.engine.diff.rule.Tolerance;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonString;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies tolerances, fuzzy text rules and semantic text rules to scalars that differ. Not safe for
 * use by several threads.
 */
public final class CloseRules {

  private final List<CompiledRule> rules;
  private final ValueNormalizer normalizer;

  /** For each rule, the number of pairs of texts that its comparator was asked to judge. */
  private final int[] asked;

  /** For each rule, the number of pairs beyond its limit, which were not judged. */
  private final int[] refused;

  public CloseRules(List<CompiledRule> rules, ValueNormalizer normalizer) {
    this.rules = rules;
    this.normalizer = normalizer;
    this.asked = new int[rules.size()];
    this.refused = new int[rules.size()];
  }

  /** Whether there is a tolerance among the rules. */
  boolean hasTolerance() {
    return rules.stream().anyMatch(rule -> rule.rule() instanceof Tolerance);
  }

  /**
   * Whether two values are numbers that are equal within a tolerance.
   *
   * @param counted whether to count the tolerance that applies
   */
  public boolean isWithinTolerance(ComparedValue left, ComparedValue right, boolean counted) {
    for (int i = 0; i < rules.size(); i++) {
      if (rules.get(i).rule() instanceof Tolerance tolerance
          && left.scalar() instanceof JsonNumber a
          && right.scalar() instanceof JsonNumber b
          && applies(i, left, right)
          && tolerance.allows(a, b)) {
        if (counted) {
          count(i);
        }
        return true;
      }
    }
    return false;
  }

  /** Returns the reason why two values count as close; null when they do not. */
  @Nullable
  public Closeness judge(String step, ValuePath path, ComparedValue left, ComparedValue right)
      throws IOException {
    if (!(left.scalar() instanceof JsonString a) || !(right.scalar() instanceof JsonString b)) {
      return null;
    }
    for (int i = 0; i < rules.size(); i++) {
      if (rules.get(i).rule() instanceof FuzzyText fuzzy && applies(i, left, right)) {
        double similarity = TextSimilarity.of(a.value(), b.value(), fuzzy.similarity());
        if (similarity >= fuzzy.similarity()) {
          count(i);
          return new Closeness("fuzzy", similarity, null);
        }
      }
    }
    for (int i = 0; i < rules.size(); i++) {
      if (rules.get(i).rule() instanceof SemanticTexts texts) {
        Judgment judgment = ask(
            i,
            texts,
            new SemanticComparator.Texts(
                step, path.toString(), left.original.asString(), right.original.asString()));
        if (judgment != null && judgment.equivalent()) {
          count(i);
          return new Closeness("semantic", judgment.similarity(), judgment.reason());
        }
      }
    }
    return null;
  }

  /** Returns the remark that reports add to the description of a rule; empty when there is none. */
  public String remark(int rule) {
    return refused[rule] == 0 ? "" : ", " + refused[rule] + " more not judged";
  }

  private @Nullable Judgment ask(int rule, SemanticTexts texts, SemanticComparator.Texts pair)
      throws IOException {
    if (asked[rule] == texts.limit()) {
      refused[rule]++;
      return null;
    }
    asked[rule]++;
    return texts.comparator().compare(pair);
  }

  private boolean applies(int rule, ComparedValue left, ComparedValue right) {
    return normalizer.matches(rule, left) || normalizer.matches(rule, right);
  }

  private void count(int rule) {
    normalizer.counts().count(rule, Side.LEFT);
    normalizer.counts().count(rule, Side.RIGHT);
  }
}
