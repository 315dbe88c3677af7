package dev.agentreplay.engine.diff.rule;

import dev.agentreplay.engine.diff.pattern.PathPattern;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.text.Excerpt;
import java.math.BigDecimal;
import java.util.Objects;

/**
 * Numbers that may differ by so much, and count as equal then.
 *
 * <pre>{@code
 * Tolerance.absolute("/output/price", new BigDecimal("0.01"));
 * Tolerance.relative("/output/scores", new BigDecimal("0.05"));
 * Tolerance.parse("/output/price=1%");
 * }</pre>
 *
 * <p>Arithmetic is decimal, so that {@code 0.1} and {@code 0.11} are 0.01 apart, for integers of
 * any size. A number that is too small for a double is zero here, and one of more than 1,000
 * characters is within no tolerance. Arrays that are equal index by index within tolerances are
 * equal; the elements of others are aligned by what is equal without them. Only numbers are
 * compared so, not texts that hold one. Immutable.
 */
public final class Tolerance implements ComparisonRule {

  private static final int MAX_LENGTH = 1_000;
  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  private final PathPattern path;
  private final BigDecimal amount;
  private final boolean isRelative;

  private Tolerance(String pattern, BigDecimal amount, boolean isRelative) {
    this.path = PathPattern.parse(pattern);
    this.amount = Objects.requireNonNull(amount, "amount");
    this.isRelative = isRelative;
    if (amount.signum() < 0) {
      throw new IllegalArgumentException("tolerance must not be negative: " + amount);
    }
    if (Math.abs((long) amount.scale()) > MAX_LENGTH || amount.precision() > MAX_LENGTH) {
      throw new IllegalArgumentException("tolerance has more than " + MAX_LENGTH + " digits");
    }
  }

  /**
   * Numbers that differ by no more than an amount.
   *
   * @throws IllegalArgumentException if the amount is negative, or the pattern is none, as
   *     {@link Ignore#pointer} documents
   */
  public static Tolerance absolute(String pattern, BigDecimal amount) {
    return new Tolerance(pattern, amount, false);
  }

  /**
   * Numbers that differ by no more than a fraction of the larger magnitude of the two: 0.01 is one
   * percent.
   *
   * @throws IllegalArgumentException if the fraction is negative, or the pattern is none, as
   *     {@link Ignore#pointer} documents
   */
  public static Tolerance relative(String pattern, BigDecimal fraction) {
    return new Tolerance(pattern, fraction, true);
  }

  /**
   * Parses {@code /output/price=0.01}, an amount, or {@code /output/price=1%}, a fraction.
   *
   * @throws IllegalArgumentException if it is neither
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
      number = new BigDecimal(digits);
    } catch (NumberFormatException e) {
      throw refused(text, e);
    }
    return percent ? relative(pattern, number.movePointLeft(2)) : absolute(pattern, number);
  }

  @Override
  public String description() {
    String told = isRelative
        ? amount.multiply(HUNDRED).stripTrailingZeros().toPlainString() + "%"
        : amount.toPlainString();
    return "tolerance " + path + " " + told;
  }

  @Override
  public String toString() {
    return description();
  }

  PathPattern path() {
    return path;
  }

  /** Whether two numbers are as near to each other as this allows. */
  public boolean allows(JsonNumber left, JsonNumber right) {
    if (left.text().length() > MAX_LENGTH || right.text().length() > MAX_LENGTH) {
      return false;
    }
    BigDecimal a = decimal(left);
    BigDecimal b = decimal(right);
    BigDecimal allowed = isRelative ? a.abs().max(b.abs()).multiply(amount) : amount;
    return a.subtract(b).abs().compareTo(allowed) <= 0;
  }

  /** A number whose exponent is small, or is made up for by digits. */
  private static BigDecimal decimal(JsonNumber number) {
    return number.asDouble() == 0 ? BigDecimal.ZERO : new BigDecimal(number.text());
  }

  private static IllegalArgumentException refused(
      String text, @org.jspecify.annotations.Nullable NumberFormatException cause) {
    return new IllegalArgumentException(
        "not a tolerance, such as /output/price=0.01 or /output/price=1%: \""
            + Excerpt.of(text)
            + "\"",
        cause);
  }
}
