package dev.agentreplay.engine.diff.rule;

import java.util.Objects;

/**
 * A rule under which texts of the same meaning count as close, as a {@link SemanticComparator}
 * judges: a language model, a list of words, a person.
 *
 * <pre>{@code
 * DiffOptions.defaults().plus(SemanticTexts
 *     .judgedBy(texts -> new SemanticComparator.Judgment(
 *         texts.before().equalsIgnoreCase(texts.after()), null, "only the case differs"))
 *     .atMost(50));
 * }</pre>
 *
 * <p>Only texts in the content of events are judged, as {@link ComparisonRule} defines it. Texts
 * that are judged equivalent are still listed, by default with severity minor; their
 * {@link Closeness} has the rule {@code semantic} and the given similarity and reason. Texts beyond
 * the limit are not judged and count as different; the description of the rule in the result then
 * reports their number. Immutable if the comparator is.
 *
 * @param comparator the judge of the texts
 * @param limit the maximum number of pairs of texts that are judged in one comparison
 */
public record SemanticTexts(SemanticComparator comparator, int limit) implements ComparisonRule {

  private static final int DEFAULT_LIMIT = 1_000;

  /**
   * Checks for null, and the limit.
   *
   * @throws IllegalArgumentException if {@code limit} is negative
   */
  public SemanticTexts {
    Objects.requireNonNull(comparator, "comparator");
    if (limit < 0) {
      throw new IllegalArgumentException("limit of judgments must not be negative: " + limit);
    }
  }

  /**
   * Returns a rule for at most 1,000 pairs of texts that differ under all other rules.
   *
   * @param comparator the judge of the texts
   */
  public static SemanticTexts judgedBy(SemanticComparator comparator) {
    return new SemanticTexts(comparator, DEFAULT_LIMIT);
  }

  /**
   * Returns this rule with a different limit.
   *
   * @param pairs the maximum number of pairs of texts that are judged in one comparison
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
