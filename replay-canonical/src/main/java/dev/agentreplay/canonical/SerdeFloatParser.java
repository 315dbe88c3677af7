package dev.agentreplay.canonical;

import dev.agentreplay.model.json.JsonNumber;

/**
 * Parses numbers like serde_json without its feature {@code float_roundtrip}: up to 20 digits as an
 * integer, then one multiplication or division of doubles. The result may be off by one unit in the
 * last place.
 */
final class SerdeFloatParser {

  private static final int MAX_POWER = 308;

  /** An exponent beyond that of any double, and far from integer overflow. */
  private static final int MAX_EXPONENT = 100_000_000;

  private static final double[] POWERS = powers();

  private SerdeFloatParser() {}

  /** The number that serde_json parses; the number itself if it is a 64-bit integer. */
  static JsonNumber read(JsonNumber number) {
    if (number.isIntegerLiteral() && CanonicalJson.SERDE.text(number).equals(number.text())) {
      return number;
    }
    double read = parse(number.text());
    return Double.isFinite(read) ? JsonNumber.of(read) : number;
  }

  private static double parse(String text) {
    boolean negative = text.charAt(0) == '-';
    long significand = 0;
    int exponent = 0;
    boolean full = false;
    boolean fraction = false;
    int i = negative ? 1 : 0;
    for (; i < text.length() && (text.charAt(i) | 0x20) != 'e'; i++) {
      char c = text.charAt(i);
      if (c == '.') {
        fraction = true;
        full = false;
        continue;
      }
      full |= overflows(significand, c - '0');
      if (!full) {
        significand = significand * 10 + (c - '0');
        exponent -= fraction ? 1 : 0;
      } else if (!fraction) {
        exponent++;
      }
    }
    if (i < text.length()) {
      exponent += exponent(text.substring(i + 1));
    }
    double value = scale(Double.parseDouble(Long.toUnsignedString(significand)), exponent);
    return negative ? -value : value;
  }

  /** Whether {@code significand * 10 + digit} exceeds 64 bits. */
  private static boolean overflows(long significand, int digit) {
    long most = Long.divideUnsigned(-1L, 10);
    int compared = Long.compareUnsigned(significand, most);
    return compared > 0 || (compared == 0 && digit > Long.remainderUnsigned(-1L, 10));
  }

  private static int exponent(String digits) {
    boolean negative = digits.charAt(0) == '-';
    int value = 0;
    for (int i = negative || digits.charAt(0) == '+' ? 1 : 0; i < digits.length(); i++) {
      value = (int) Math.min(value * 10L + digits.charAt(i) - '0', MAX_EXPONENT);
    }
    return negative ? -value : value;
  }

  private static double scale(double significand, int exponent) {
    double value = significand;
    int left = exponent;
    while (left < -MAX_POWER && value != 0) {
      value /= POWERS[MAX_POWER];
      left += MAX_POWER;
    }
    if (value == 0) {
      return value;
    }
    if (left > MAX_POWER) {
      return Double.POSITIVE_INFINITY;
    }
    return left < 0 ? value / POWERS[-left] : value * POWERS[left];
  }

  private static double[] powers() {
    double[] powers = new double[MAX_POWER + 1];
    for (int i = 0; i < powers.length; i++) {
      powers[i] = Double.parseDouble("1e" + i);
    }
    return powers;
  }
}
