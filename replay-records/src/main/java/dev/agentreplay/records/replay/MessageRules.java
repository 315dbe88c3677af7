package dev.agentreplay.records.replay;

import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.engine.diff.rule.SemanticComparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which two messages are compared. Immutable if the judge is.
 *
 * @param normalizers replacements in texts before they are compared, in order
 * @param judge judges whether texts that differ have the same meaning; null, the default, for none
 * @param minor the lowest similarity of texts whose difference is minor; 0.90 by default
 * @param moderate the lowest similarity of texts whose difference is moderate; 0.60 by default
 */
public record MessageRules(
    List<Normalizer> normalizers,
    @Nullable SemanticComparator judge,
    double minor,
    double moderate) {

  private static final MessageRules DEFAULTS = new MessageRules(List.of(), null, 0.90, 0.60);

  /**
   * Copies the list, and checks the ranges.
   *
   * @throws IllegalArgumentException unless 0 &lt; moderate &lt;= minor &lt;= 1
   */
  public MessageRules {
    normalizers = List.copyOf(normalizers);
    if (!(moderate > 0 && moderate <= minor && minor <= 1)) {
      throw new IllegalArgumentException(
          "expected 0 < moderate <= minor <= 1: moderate %s, minor %s".formatted(moderate, minor));
    }
  }

  /** The default rules: no normalizers and no judge. */
  public static MessageRules defaults() {
    return DEFAULTS;
  }

  /** Returns these rules with the given normalizers. */
  public MessageRules withNormalizers(List<Normalizer> newNormalizers) {
    return new MessageRules(newNormalizers, judge, minor, moderate);
  }

  /** Returns these rules with a judge. */
  public MessageRules withJudge(@Nullable SemanticComparator newJudge) {
    return new MessageRules(normalizers, newJudge, minor, moderate);
  }

  /** Returns these rules with different lowest similarities. */
  public MessageRules withBounds(double newMinor, double newModerate) {
    return new MessageRules(normalizers, judge, newMinor, newModerate);
  }
}
