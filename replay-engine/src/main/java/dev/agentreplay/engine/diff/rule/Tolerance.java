package dev.agentreplay.engine.diff.rule;

import dev.agentreplay.engine.diff.pattern.PathPattern;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.text.Excerpt;
import java.math.BigDecimal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A rule under which numbers count as equal if they differ by at most a given amount.
 *
 * <pre>{@code
 * Tolerance.absolute("/output/price", 0.01);
 * Tolerance.relative("/output/scores", 0.05);
 * Tolerance.parse("/output/price=1%");
 * }</pre>
 *
 * <p>The arithmetic is decimal, for numbers of any size: {@code 0.1} and {@code 0.11} differ by
 * exactly 0.01. A number that is too small for a double counts as zero. A number of more than 1,000
 * characters is not within any tolerance. Texts that are a number are not compared as numbers;
 * numbers in texts that hold a JSON object or array are, as {@link ComparisonRule} documents.
 *
 * <p>Arrays that are equal index by index within tolerances are equal; the elements of other arrays
 * are aligned on exact equality.
 *
 * @param place the pattern of the places of the numbers, as {@link Ignore#at} documents it
 * @param amount the greatest difference of two equal numbers, 0 or more
 * @param isRelative whether the amount is a fraction of the larger magnitude of the two
 */
public record Tolerance(String place, BigDecimal amount, boolean isRelative)
    implements ComparisonRule {

  private static final int MAX_LENGTH = 1_000;
  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  /**
   * Checks the pattern and the amount, and strips trailing zeros, so that 0.10 equals 0.1.
   *
   * @throws IllegalArgumentException if {@code place} is not a valid pattern, or {@code amount} is
   *     negative or has more than 1,000 digits
   */
  public Tolerance {
    PathPattern.parse(place);
    Objects.requireNonNull(amount, "amount");
    if (amount.signum() < 0) {
      throw new IllegalArgumentException("tolerance must not be negative: " + amount);
    }
    if (Math.abs((long) amount.scale()) > MAX_LENGTH || amount.precision() > MAX_LENGTH) {
      throw new IllegalArgumentException("tolerance has more than " + MAX_LENGTH + " digits");
    }
    amount = amount.stripTrailingZeros();
  }

  /**
   * Returns a rule for the numbers at a pattern of JSON Pointers. They count as equal if their
   * values are: {@code 1.0} and {@code 1}.
   *
   * @param pattern the pattern, as {@link Ignore#at} documents it
   * @throws IllegalArgumentException if it is not a valid pattern
   */
  public static Tolerance at(String pattern) {
    return new Tolerance(pattern, BigDecimal.ZERO, false);
  }

  /**
   * Returns a rule for the numbers at a pattern of JSON Pointers with an absolute amount.
   *
   * @param pattern the pattern, as {@link Ignore#at} documents it
   * @param amount the greatest difference of two equal numbers, as its shortest decimal: 0.1 is
   *     exactly one tenth
   * @throws IllegalArgumentException if the pattern is not valid, or the amount is negative or not
   *     a finite number
   */
  public static Tolerance absolute(String pattern, double amount) {
    return at(pattern).absolute(decimal(amount));
  }

  /**
   * Returns a rule for the numbers at a pattern of JSON Pointers with a relative amount.
   *
   * @param pattern the pattern, as {@link Ignore#at} documents it
   * @param fraction the greatest difference of two equal numbers as a fraction of the larger
   *     magnitude of the two: 0.01 is one percent
   * @throws IllegalArgumentException if the pattern is not valid, or the fraction is negative or
   *     not a finite number
   */
  public static Tolerance relative(String pattern, double fraction) {
    return at(pattern).relative(decimal(fraction));
  }

  private static BigDecimal decimal(double amount) {
    if (!Double.isFinite(amount)) {
      throw new IllegalArgumentException("tolerance must be a finite number: " + amount);
    }
    return BigDecimal.valueOf(amount);
  }

  /**
   * Returns a rule for the same numbers with an absolute amount.
   *
   * @param newAmount the greatest difference of two equal numbers
   * @throws IllegalArgumentException if the amount is negative or has more than 1,000 digits
   */
  public Tolerance absolute(BigDecimal newAmount) {
    return new Tolerance(place, newAmount, false);
  }

  /**
   * Returns a rule for the same numbers with a relative amount.
   *
   * @param fraction the greatest difference of two equal numbers as a fraction of the larger
   *     magnitude of the two: 0.01 is one percent
   * @throws IllegalArgumentException if the fraction is negative or has more than 1,000 digits
   */
  public Tolerance relative(BigDecimal fraction) {
    return new Tolerance(place, fraction, true);
  }

  /**
   * Parses a tolerance of the command line: an absolute amount, {@code /output/price=0.01}, or a
   * relative one, {@code /output/price=1%}.
   *
   * @throws IllegalArgumentException if the text is neither
   */
  public static Tolerance parse(String text) {
    int equals = text.lastIndexOf('=');
    if (equals < 0) {
      throw refused(text, null);
    }
    String pattern = text.substring(0, equals);
    String amount = text.substring(equals + 1);
    boolean percent = amount.endsWith("%");
    String digits = percent ? amount.substring(0, amount.length() - 1) : amount;
    if (digits.length() > MAX_LENGTH) {
      throw refused(text, null);
    }
    BigDecimal number;
    try {
      number = new BigDecimal(digits).movePointLeft(percent ? 2 : 0);
    } catch (NumberFormatException | ArithmeticException e) { // an exponent of more than 32 bits
      throw refused(text, e);
    }
    return percent ? at(pattern).relative(number) : at(pattern).absolute(number);
  }

  @Override
  public String description() {
    String told = isRelative
        ? amount.multiply(HUNDRED).stripTrailingZeros().toPlainString() + "%"
        : amount.toPlainString();
    return "tolerance " + place + " " + told;
  }

  /** Whether two numbers are equal within this tolerance. */
  public boolean allows(JsonNumber left, JsonNumber right) {
    if (left.text().length() > MAX_LENGTH || right.text().length() > MAX_LENGTH) {
      return false;
    }
    BigDecimal a = decimal(left);
    BigDecimal b = decimal(right);
    BigDecimal allowed = isRelative ? a.abs().max(b.abs()).multiply(amount) : amount;
    return a.subtract(b).abs().compareTo(allowed) <= 0;
  }

  /**
   * The exact value of a number; zero for one that is too small for a double, so that the exponent
   * is bounded by the digits.
   */
  private static BigDecimal decimal(JsonNumber number) {
    return number.asDouble() == 0 ? BigDecimal.ZERO : new BigDecimal(number.text());
  }

  private static IllegalArgumentException refused(String text, @Nullable RuntimeException cause) {
    return new IllegalArgumentException(
        "expected a tolerance such as /output/price=0.01 or /output/price=1%, found \""
            + Excerpt.of(text)
            + "\"",
        cause);
  }
}
