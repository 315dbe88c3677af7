package dev.agentreplay.engine.diff.text;

import dev.agentreplay.engine.diff.pattern.ScalarRule;
import dev.agentreplay.engine.diff.pattern.TextSimilarity;
import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.engine.diff.rule.RunawayPatternException;
import dev.agentreplay.engine.diff.value.CompiledRule;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/**
 * Compares texts that are not members of events, such as messages and documents, by the rules that
 * apply to texts in events. Immutable and safe for use by several threads.
 */
public final class TextComparison {

  private final List<ScalarRule> rules;

  private TextComparison(List<ScalarRule> rules) {
    this.rules = rules;
  }

  /** Creates a comparison with the given normalizers, which are applied in order. */
  public static TextComparison of(List<Normalizer> normalizers) {
    return new TextComparison(normalizers.stream()
        .map(normalizer -> Objects.requireNonNull(CompiledRule.of(normalizer).scalars()))
        .toList());
  }

  /**
   * Returns a text as the normalizers change it.
   *
   * @throws RunawayPatternException if the expression of a normalizer takes too long for it
   */
  public String normalized(String text) throws RunawayPatternException {
    JsonValue value = JsonString.of(text);
    try {
      for (ScalarRule rule : rules) {
        value = rule.apply("", value);
      }
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof RunawayPatternException runaway) {
        throw runaway;
      }
      throw e;
    }
    return value.asString();
  }

  /**
   * Returns the similarity of two texts, from 0.0 to 1.0, by the measure that
   * {@link dev.agentreplay.engine.diff.rule.FuzzyText} documents. It is 1.0 for equal texts only.
   */
  public static double similarity(String left, String right) {
    return TextSimilarity.of(left, right, 0);
  }
}
