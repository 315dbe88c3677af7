package dev.agentreplay.engine.diff.rule;

import dev.agentreplay.engine.diff.pattern.PathPattern;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Texts that are alike enough to be close.
 *
 * <pre>{@code
 * FuzzyText.atLeast(0.9);               // all texts
 * FuzzyText.atLeast(0.8).at("/answer"); // those at a place
 * }</pre>
 *
 * <p>The measure is the normalized indel similarity: twice the length of the longest common
 * subsequence as a share of both lengths, in code points; 1.0 for equal texts only, 0.0 where
 * nothing is in both. What both begin and end with is set apart first. Where more than 2,000
 * characters are left, lines are aligned, and then words where lines differ, each weighing what it
 * is long. That may be less than the longest, so that long texts may be said to be less alike than
 * they are, never more. Between what both begin and end with, more than a million characters have
 * nothing in common. Time and memory grow with the length.
 *
 * <p>Texts in the content of events, as {@link ComparisonRule} says what that is, are measured
 * after {@link Normalizer}s and {@link Ignore}. Those that are close are still listed, by the rule
 * {@code fuzzy} with their similarity.
 *
 * @param similarity the least similarity of texts that are close, above 0.0 and up to 1.0
 * @param place the pattern of their places, as {@link Ignore#at} documents it; null for all
 */
public record FuzzyText(double similarity, @Nullable String place) implements ComparisonRule {

  /** Checks the range and the pattern. */
  public FuzzyText {
    if (!(similarity > 0 && similarity <= 1)) {
      throw new IllegalArgumentException("similarity must be above 0 and at most 1: " + similarity);
    }
    if (place != null) {
      PathPattern.parse(place);
    }
  }

  /**
   * Texts of at least this similarity are close.
   *
   * @param similarity above 0.0, and up to 1.0
   * @throws IllegalArgumentException if it is not in that range
   */
  public static FuzzyText atLeast(double similarity) {
    return new FuzzyText(similarity, null);
  }

  /**
   * Only at a pattern of JSON pointers.
   *
   * @throws IllegalArgumentException if it is not one, as {@link Ignore#at} documents
   */
  public FuzzyText at(String pattern) {
    return new FuzzyText(similarity, Objects.requireNonNull(pattern, "pattern"));
  }

  @Override
  public String description() {
    return "fuzzy" + (place == null ? "" : " " + place) + " " + similarity;
  }
}
