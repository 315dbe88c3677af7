package dev.agentreplay.engine.diff.rule;

import dev.agentreplay.engine.diff.pattern.PathPattern;
import dev.agentreplay.model.text.Excerpt;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A rule under which similar texts count as close.
 *
 * <pre>{@code
 * FuzzyText.atLeast(0.9);               // all texts
 * FuzzyText.atLeast(0.8).at("/answer"); // those at a place
 * }</pre>
 *
 * <p>The measure is the normalized indel similarity: twice the length of the longest common
 * subsequence, divided by the sum of both lengths, in code points. It is 1.0 for equal texts only,
 * and 0.0 for texts without a common character. The common prefix and suffix are split off first.
 * If more than 2,000 characters are left, lines are aligned, and then the words of the lines that
 * differ, each weighted by its length. The result may then be less than that of the longest common
 * subsequence, so that long texts may seem less similar than they are, but never more similar. If
 * more than a million characters are left, they count as completely different. Time and memory grow
 * with the length.
 *
 * <p>The texts in the content of events are measured, as {@link ComparisonRule} defines it, after
 * {@link Normalizer}s and {@link Ignore} rules. Texts that are close are still listed, by default
 * with severity minor; their {@link Closeness} has the rule {@code fuzzy} and the similarity.
 *
 * @param similarity the lowest similarity of close texts, greater than 0.0 and at most 1.0
 * @param place the pattern of their places, as {@link Ignore#at} documents it; null for all places
 */
public record FuzzyText(double similarity, @Nullable String place) implements ComparisonRule {

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,9})?");

  /**
   * Checks the range and the pattern.
   *
   * @throws IllegalArgumentException if {@code similarity} is out of range, or {@code place} is not
   *     a valid pattern
   */
  public FuzzyText {
    if (!(similarity > 0 && similarity <= 1)) {
      throw new IllegalArgumentException("similarity must be above 0 and at most 1: " + similarity);
    }
    if (place != null) {
      PathPattern.parse(place);
    }
  }

  /**
   * Returns a rule for texts of at least the given similarity.
   *
   * @param similarity the lowest similarity of close texts, greater than 0.0 and at most 1.0
   * @throws IllegalArgumentException if it is not in that range
   */
  public static FuzzyText atLeast(double similarity) {
    return new FuzzyText(similarity, null);
  }

  /**
   * Returns this rule for the texts at a pattern of JSON Pointers only.
   *
   * @param pattern the pattern, as {@link Ignore#at} documents it
   * @throws IllegalArgumentException if it is not a valid pattern
   */
  public FuzzyText at(String pattern) {
    return new FuzzyText(similarity, Objects.requireNonNull(pattern, "pattern"));
  }

  /**
   * Parses a rule of the command line: a similarity such as {@code 0.8} or {@code 80%}, or with a
   * place {@code /answer=0.8}.
   *
   * @throws IllegalArgumentException if the text is neither
   */
  public static FuzzyText parse(String text) {
    int equals = text.startsWith("/") ? text.lastIndexOf('=') : -1;
    String number = text.substring(equals + 1);
    boolean isPercentage = number.endsWith("%");
    String digits = isPercentage ? number.substring(0, number.length() - 1) : number;
    double similarity = NUMBER.matcher(digits).matches()
        ? Double.parseDouble(digits) / (isPercentage ? 100 : 1)
        : 0;
    if (similarity <= 0 || similarity > 1) {
      throw new IllegalArgumentException(
          "expected a similarity above 0 and up to 1, such as 0.8 or 80%, found \""
              + Excerpt.of(text) + '"');
    }
    FuzzyText rule = atLeast(similarity);
    return equals < 0 ? rule : rule.at(text.substring(0, equals));
  }

  @Override
  public String description() {
    return "fuzzy" + (place == null ? "" : " " + place) + " " + similarity;
  }
}
