package dev.agentreplay.engine.diff.rule;

import java.util.Objects;

/**
 * Texts that mean the same, as somebody judges: a model, a word list, a person.
 *
 * <pre>{@code
 * DiffOptions.defaults().plus(SemanticTexts
 *     .judgedBy(texts -> new SemanticComparator.Judgement(
 *         texts.before().equalsIgnoreCase(texts.after()), null, "only the case differs"))
 *     .atMost(50));
 * }</pre>
 *
 * <p>Only texts in the content of events are judged, as {@link ComparisonRule} says what that is.
 * Those that are judged equivalent are still listed, as close by the rule {@code semantic}, with
 * the similarity and the reason that were given. Texts beyond the limit are not judged, and count
 * as different; the rule's description in the result then says how many. Immutable, if the judge
 * is.
 *
 * @param comparator judges the texts
 * @param limit the most pairs of texts that are judged in one comparison
 */
public record SemanticTexts(SemanticComparator comparator, int limit) implements ComparisonRule {

  private static final int DEFAULT_LIMIT = 1_000;

  /** Checks for null, and the limit. */
  public SemanticTexts {
    Objects.requireNonNull(comparator, "comparator");
    if (limit < 0) {
      throw new IllegalArgumentException("limit of judgements must not be negative: " + limit);
    }
  }

  /** Texts that differ under all other rules are judged by this, 1,000 pairs at most. */
  public static SemanticTexts judgedBy(SemanticComparator comparator) {
    return new SemanticTexts(comparator, DEFAULT_LIMIT);
  }

  /**
   * With another limit.
   *
   * @param pairs the most pairs of texts that are judged in one comparison
   * @throws IllegalArgumentException if it is negative
   */
  public SemanticTexts atMost(int pairs) {
    return new SemanticTexts(comparator, pairs);
  }

  @Override
  public String description() {
    return "semantic texts, at most " + limit + " judged";
  }
}
