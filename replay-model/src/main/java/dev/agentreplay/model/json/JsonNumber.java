package dev.agentreplay.model.json;

import dev.agentreplay.model.number.ShortestDecimal;
import dev.agentreplay.model.text.Excerpt;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A JSON number that keeps its text, so that 64-bit ids and decimal digits survive. Two numbers are
 * equal when their texts are: {@code 1}, {@code 1.0} and {@code 1e0} are three different numbers
 * with three different hashes. Immutable and safe for use by several threads.
 */
public final class JsonNumber implements JsonValue {

  /**
   * A length below the 309 digits of the largest double: a shorter text without exponent is finite.
   */
  private static final int SURELY_FINITE_LENGTH = 300;

  private static final int MAX_INTEGER_LENGTH = 64;

  /** The maximum length of a text whose digits always form an integer below 2^53. */
  private static final int MAX_EXACT_LENGTH = 15;

  private static final double[] POWERS_OF_TEN = {
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13
  };

  /** The integers from 0 to 999, which are shared because most integers in logs are small. */
  static final JsonNumber[] SMALL = new JsonNumber[1_000];

  static {
    for (int i = 0; i < SMALL.length; i++) {
      SMALL[i] = new JsonNumber(Integer.toString(i));
    }
  }

  private final String text;

  /**
   * The double of a text longer than {@link #MAX_EXACT_LENGTH}, cached by {@link #asDouble()}.
   * Threads that race compute equal values.
   */
  private @Nullable Double parsed;

  /** Creates a number from text that is known to be valid. */
  JsonNumber(String text) {
    this.text = text;
  }

  /**
   * Returns the number with the given text.
   *
   * @throws IllegalArgumentException if the text is not a number by the grammar of RFC 8259,
   *     section 6, or not finite as a double
   */
  public static JsonNumber of(String text) {
    Objects.requireNonNull(text, "text");
    if (!isNumber(text)) {
      throw new IllegalArgumentException("not a JSON number: " + Excerpt.of(text));
    }
    boolean small = text.length() < SURELY_FINITE_LENGTH && !hasExponent(text);
    if (!small && Double.isInfinite(Double.parseDouble(text))) {
      throw new IllegalArgumentException(
          "number is beyond the range of a double: " + Excerpt.of(text));
    }
    return new JsonNumber(text);
  }

  /** Returns the number of an integer. */
  public static JsonNumber of(long value) {
    return value >= 0 && value < SMALL.length
        ? SMALL[(int) value]
        : new JsonNumber(Long.toString(value));
  }

  /**
   * Returns the number with the shortest digits that read back to the given double, as in
   * {@code 1.0}, {@code 0.1}, {@code 1e+16}, {@code -0.0}.
   *
   * @throws IllegalArgumentException if the double is not finite
   */
  public static JsonNumber of(double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("JSON has no number for " + value);
    }
    return new JsonNumber(ShortestDecimal.toString(value));
  }

  /**
   * Returns the number of an integer.
   *
   * @throws IllegalArgumentException if the integer is beyond the range of a double
   */
  public static JsonNumber of(BigInteger value) {
    return of(value.toString());
  }

  /**
   * Returns the number of a decimal, with all its digits.
   *
   * @throws IllegalArgumentException if the decimal is beyond the range of a double
   */
  public static JsonNumber of(BigDecimal value) {
    return of(value.toString());
  }

  /** The text: a number by the grammar of RFC 8259, section 6, that is finite as a double. */
  public String text() {
    return text;
  }

  /** Whether the text is an integer literal: no fraction, no exponent. */
  public boolean isIntegerLiteral() {
    return text.indexOf('.') < 0 && !hasExponent(text);
  }

  @Override
  public long asLong() {
    if (isIntegerLiteral() && text.length() <= 18) {
      return Long.parseLong(text);
    }
    if (text.length() > MAX_INTEGER_LENGTH) {
      // exact decimal arithmetic takes quadratic time
      throw new ArithmeticException("not an integer that fits a long: " + Excerpt.of(text));
    }
    double nearest = asDouble();
    if (Math.abs(nearest) > 1e19 || nearest != Math.rint(nearest)) {
      throw new ArithmeticException("not an integer that fits a long: " + text);
    }
    if (nearest == 0 && isZero()) {
      return 0;
    }
    // BigDecimal would expand a number such as 1e-999999999
    if (Math.abs(nearest) < 0.5) {
      throw new ArithmeticException("not an integer that fits a long: " + text);
    }
    return new BigDecimal(text).longValueExact();
  }

  @Override
  public double asDouble() {
    if (text.length() <= MAX_EXACT_LENGTH) {
      return shortDouble();
    }
    Double known = parsed;
    if (known == null) {
      known = Double.parseDouble(text);
      parsed = known;
    }
    return known;
  }

  /**
   * Returns the double of a short text. An integer of up to 15 digits and a power of ten are exact
   * doubles, so that their quotient is rounded only once, to the nearest double.
   */
  private double shortDouble() {
    boolean negative = text.charAt(0) == '-';
    int length = text.length();
    int point = length;
    long digits = 0;
    for (int i = negative ? 1 : 0; i < length; i++) {
      char c = text.charAt(i);
      if (c == '.') {
        point = i + 1;
      } else if (c <= '9') {
        digits = digits * 10 + (c - '0');
      } else {
        return Double.parseDouble(text); // has an exponent
      }
    }
    double value = digits / POWERS_OF_TEN[length - point];
    return negative ? -value : value;
  }

  @Override
  public String typeName() {
    return "number";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof JsonNumber that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }

  private boolean isZero() {
    for (int i = 0; i < text.length() && (text.charAt(i) | 0x20) != 'e'; i++) {
      if (text.charAt(i) >= '1' && text.charAt(i) <= '9') {
        return false;
      }
    }
    return true;
  }

  private static boolean hasExponent(String text) {
    return text.indexOf('e') >= 0 || text.indexOf('E') >= 0;
  }

  /** Whether the text matches {@code -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?}. */
  private static boolean isNumber(String s) {
    int i = s.startsWith("-") ? 1 : 0;
    int end = digits(s, i);
    if (end == i || (s.charAt(i) == '0' && end > i + 1)) {
      return false;
    }
    i = end;
    if (i < s.length() && s.charAt(i) == '.') {
      end = digits(s, i + 1);
      if (end == i + 1) {
        return false;
      }
      i = end;
    }
    if (i < s.length() && (s.charAt(i) | 0x20) == 'e') {
      i++;
      if (i < s.length() && (s.charAt(i) == '+' || s.charAt(i) == '-')) {
        i++;
      }
      end = digits(s, i);
      if (end == i) {
        return false;
      }
      i = end;
    }
    return i == s.length();
  }

  private static int digits(String s, int from) {
    int i = from;
    while (i < s.length() && s.charAt(i) >= '0' && s.charAt(i) <= '9') {
      i++;
    }
    return i;
  }
}
