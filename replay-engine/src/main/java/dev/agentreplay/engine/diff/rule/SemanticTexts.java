package dev.agentreplay.engine.diff.rule;

import java.util.Objects;

/**
 * Texts that mean the same, as somebody judges: a model, a word list, a person.
 *
 * <pre>{@code
 * DiffOptions.exact().with(SemanticTexts
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
 */
public final class SemanticTexts implements ComparisonRule {

  private static final int DEFAULT_LIMIT = 1_000;

  private final SemanticComparator comparator;
  private final int limit;

  private SemanticTexts(SemanticComparator comparator, int limit) {
    this.comparator = comparator;
    this.limit = limit;
  }

  /** Texts that differ under all other rules are judged by this, 1,000 pairs at most. */
  public static SemanticTexts judgedBy(SemanticComparator comparator) {
    return new SemanticTexts(Objects.requireNonNull(comparator, "comparator"), DEFAULT_LIMIT);
  }

  /**
   * With another limit.
   *
   * @param pairs how many pairs of texts are judged in one comparison at most
   * @throws IllegalArgumentException if it is negative
   */
  public SemanticTexts atMost(int pairs) {
    if (pairs < 0) {
      throw new IllegalArgumentException("limit of judgements must not be negative: " + pairs);
    }
    return new SemanticTexts(comparator, pairs);
  }

  @Override
  public String description() {
    return "semantic texts, at most " + limit + " judged";
  }

  @Override
  public String toString() {
    return description();
  }

  /** Judges the texts. */
  public SemanticComparator comparator() {
    return comparator;
  }

  /** The most pairs of texts that are judged in one comparison. */
  public int limit() {
    return limit;
  }
}
