package dev.agentreplay.engine.diff.value;

import dev.agentreplay.engine.diff.pattern.TextSimilarity;
import dev.agentreplay.engine.diff.rule.Closeness;
import dev.agentreplay.engine.diff.rule.FuzzyText;
import dev.agentreplay.engine.diff.rule.SemanticComparator;
import dev.agentreplay.engine.diff.rule.SemanticComparator.Judgement;
import dev.agentreplay.engine.diff.rule.SemanticTexts;
import dev.agentreplay.engine.diff.rule.Tolerance;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonString;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Judges scalars that differ: whether they are equal within a tolerance, or close. */
public final class CloseRules {

  private final List<CompiledRule> rules;
  private final ValueNormalizer normalizer;

  /** How often those who judge texts were asked, and how often they were not any more. */
  private final int[] asked;

  private final int[] refused;

  public CloseRules(List<CompiledRule> rules, ValueNormalizer normalizer) {
    this.rules = rules;
    this.normalizer = normalizer;
    this.asked = new int[rules.size()];
    this.refused = new int[rules.size()];
  }

  /** Whether there is a tolerance at all. */
  boolean hasTolerance() {
    return rules.stream().anyMatch(rule -> rule.rule() instanceof Tolerance);
  }

  /** Whether two values are numbers that a tolerance makes equal; counted if it is told so. */
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

  /** Why two values count as close; null when they do not. */
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
        Judgement judgement = ask(
            i,
            texts,
            new SemanticComparator.Texts(
                step, path.toString(), left.original.asString(), right.original.asString()));
        if (judgement != null && judgement.equivalent()) {
          count(i);
          return new Closeness("semantic", judgement.similarity(), judgement.reason());
        }
      }
    }
    return null;
  }

  /** What else is to be said of a rule. */
  public String remark(int rule) {
    return refused[rule] == 0 ? "" : ", " + refused[rule] + " beyond that not judged";
  }

  private @Nullable Judgement ask(int rule, SemanticTexts texts, SemanticComparator.Texts pair)
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
