package dev.agentreplay.jackson;

import com.fasterxml.jackson.core.io.NumberInput;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.text.Excerpt;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Converts JSON numbers to Java numbers without loss of digits and with the same canonical form.
 */
final class ExactNumber {

  private static final int SURELY_LONG_LENGTH = 18;

  /** The maximum length of the shortest text of a double. */
  private static final int MAX_DOUBLE_LENGTH = 24;

  private ExactNumber() {}

  /**
   * Converts a number. A negative zero becomes a {@link Double}, since the other types cannot
   * represent it; any other integer literal becomes an {@link Integer}, {@link Long} or
   * {@link BigInteger}, the smallest that can hold it. Any other number becomes a {@link Double} if
   * its text is that of the double, otherwise a {@link BigDecimal}, whose text is never an integer
   * literal.
   *
   * @throws IllegalArgumentException if the exponent is beyond the range of a {@code BigDecimal}
   */
  static Number of(JsonNumber number) {
    String text = number.text();
    double nearest = number.asDouble();
    if (nearest == 0 && text.charAt(0) == '-' && isZero(text)) {
      return -0.0;
    }
    if (number.isIntegerLiteral()) {
      return integer(text);
    }
    if (text.length() <= MAX_DOUBLE_LENGTH && JsonNumber.of(nearest).text().equals(text)) {
      return nearest;
    }
    return decimal(text);
  }

  /** Converts an integer literal. It has at most 309 digits, since it is finite as a double. */
  private static Number integer(String text) {
    if (text.length() > SURELY_LONG_LENGTH) {
      BigInteger integer = new BigInteger(text);
      if (integer.bitLength() > Long.SIZE - 1) {
        return integer;
      }
    }
    long integer = Long.parseLong(text);
    if (integer == (int) integer) {
      return (int) integer;
    }
    return integer;
  }

  private static BigDecimal decimal(String text) {
    BigDecimal decimal;
    try {
      // new BigDecimal(String) takes quadratic time
      decimal = NumberInput.parseBigDecimal(text, false);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "exponent is beyond the range of a BigDecimal: " + Excerpt.of(text), e);
    }
    // 10e0 would be printed as 10, an integer literal, which has a different hash
    return decimal.scale() == 0 ? decimal.setScale(1) : decimal;
  }

  private static boolean isZero(String text) {
    for (int i = 0; i < text.length() && (text.charAt(i) | 0x20) != 'e'; i++) {
      if (text.charAt(i) >= '1' && text.charAt(i) <= '9') {
        return false;
      }
    }
    return true;
  }
}
