package dev.agentreplay.canonical;

import dev.agentreplay.model.number.NearestDouble;
import dev.agentreplay.model.number.NumberLayout;
import dev.agentreplay.model.number.ShortestDecimal;
import dev.agentreplay.model.text.Excerpt;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes numbers in canonical form. Not safe for use by several threads. */
final class NumberWriter {

  /** The maximum number of bytes of a canonical number. */
  public static final int MAX_BYTES = NumberLayout.MAX_BYTES;

  /** Integers of at most this length have the same text in every canonical form, except for -0. */
  public static final int MAX_COMMON_LENGTH = 15;

  private static final byte[] MAX_U64 = ascii("18446744073709551615");
  private static final byte[] MIN_I64 = ascii("-9223372036854775808");
  private static final byte[] MAX_SAFE = ascii("9007199254740991");

  /** Doubles distinguish all decimals whose digits are below this bound, unless subnormal. */
  private static final long MAX_DISTINCT = 1_000_000_000_000_000L;

  private static final int MAX_DISTINCT_EXPONENT = 290;

  /** The number of digits up to which every decimal fits a long. */
  private static final int MAX_DIGITS = 18;

  private static final int MAX_EXPONENT = 1_000_000_000;

  private final NumberLayout layout;
  private final boolean refusesRounding;
  private boolean portable = true;

  /** The number being written: its sign and its first 18 digits. */
  private boolean negative;

  private long digits;
  private int exponent;
  private boolean cut;

  /**
   * Creates a writer of a canonical form.
   *
   * @param roundsIntegers whether JCS rounds integers instead of refusing those that it would
   *     change
   */
  public NumberWriter(Canonicalization canonicalization, boolean roundsIntegers) {
    this.layout = switch (canonicalization) {
      case SERDE -> NumberLayout.SERDE;
      case SERDE_RYU -> NumberLayout.SERDE_RYU;
      case JCS -> NumberLayout.ECMASCRIPT;
    };
    this.refusesRounding = canonicalization == Canonicalization.JCS && !roundsIntegers;
  }

  /** Whether an integer is short enough to have the same text in every canonical form. */
  public static boolean isCommon(byte[] text, int from, int length) {
    return length <= MAX_COMMON_LENGTH
        && !(length == 2 && text[from] == '-' && text[from + 1] == '0');
  }

  /** Whether every number since {@link #reset} has the same text in every canonical form. */
  public boolean isPortable() {
    return portable;
  }

  /** Forgets the numbers written before. */
  public void reset() {
    portable = true;
  }

  /**
   * Writes a number.
   *
   * @param text an array that contains a number that conforms to the grammar of RFC 8259
   * @param from the index of its first byte
   * @param to the index after its last byte
   * @param integer whether it has neither a fraction nor an exponent
   * @param out the target, with room for {@link #MAX_BYTES} bytes
   * @param at the index to write to
   * @return the index after the canonical form
   * @throws ArithmeticException if the number is beyond the range of a double, or is an integer
   *     that the canonicalization would round
   */
  public int write(byte[] text, int from, int to, boolean integer, byte[] out, int at) {
    boolean safe = !integer || isSafeInteger(text, from, to);
    if (integer && isKept(text, from, to, safe)) {
      System.arraycopy(text, from, out, at, to - from);
      portable &= safe;
      return at + to - from;
    }
    int end = writeDouble(text, from, to, out, at);
    if (!safe && refusesRounding && !Arrays.equals(text, from, to, out, at, end)) {
      throw new ArithmeticException(
          "jcs would change the digits of the integer " + excerpt(text, from, to));
    }
    return end;
  }

  /** Writes a finite double, like {@link #write(byte[], int, int, boolean, byte[], int)}. */
  public int write(double value, byte[] out, int at) {
    negative = Double.doubleToRawLongBits(value) < 0;
    ShortestDecimal shortest = ShortestDecimal.of(value);
    return lay(shortest.digits(), shortest.exponent(), out, at);
  }

  private int writeDouble(byte[] text, int from, int to, byte[] out, int at) {
    read(text, from, to);
    if (!cut && digits < MAX_DISTINCT && Math.abs(exponent) <= MAX_DISTINCT_EXPONENT) {
      return lay(digits, exponent, out, at);
    }
    ShortestDecimal shortest = ShortestDecimal.of(nearest(text, from, to));
    return lay(shortest.digits(), shortest.exponent(), out, at);
  }

  private int lay(long shortestDigits, int shortestExponent, byte[] out, int at) {
    portable &= NumberLayout.isCommon(shortestDigits, shortestExponent);
    return layout.write(negative, shortestDigits, shortestExponent, out, at);
  }

  /** Whether an integer is within -(2^53-1) to 2^53-1. */
  private static boolean isSafeInteger(byte[] text, int from, int to) {
    return isAtMost(text, text[from] == '-' ? from + 1 : from, to, MAX_SAFE);
  }

  /**
   * Whether an integer keeps its text regardless of the nearest double; -0 is treated as a double.
   */
  private boolean isKept(byte[] text, int from, int to, boolean safe) {
    boolean minus = text[from] == '-';
    if (minus && text[from + 1] == '0') {
      return false;
    }
    return layout == NumberLayout.ECMASCRIPT
        ? safe
        : isAtMost(text, from, to, minus ? MIN_I64 : MAX_U64);
  }

  private static boolean isAtMost(byte[] text, int from, int to, byte[] most) {
    int length = to - from;
    return length < most.length
        || (length == most.length && Arrays.compare(text, from, to, most, 0, length) <= 0);
  }

  /** Reads up to 18 digits without trailing zeros, and the matching exponent. */
  private void read(byte[] text, int from, int to) {
    negative = text[from] == '-';
    digits = 0;
    cut = false;
    long power = 0;
    int count = 0;
    int afterPoint = 0;
    int i = negative ? from + 1 : from;
    for (; i < to && (text[i] | 0x20) != 'e'; i++) {
      if (text[i] == '.') {
        afterPoint = 1;
        continue;
      }
      int digit = text[i] - '0';
      if (count < MAX_DIGITS) {
        digits = digits * 10 + digit;
        count += digits == 0 ? 0 : 1;
        power -= afterPoint;
      } else {
        cut |= digit != 0;
        power += 1 - afterPoint;
      }
    }
    power += i < to ? exponent(text, i + 1, to) : 0;
    while (!cut && digits != 0 && digits % 10 == 0) {
      digits /= 10;
      power++;
    }
    exponent = digits == 0 ? 0 : (int) Math.max(-MAX_EXPONENT, Math.min(power, MAX_EXPONENT));
  }

  /**
   * The value of an exponent, clamped beyond the range that any number of digits could compensate.
   */
  private static long exponent(byte[] text, int from, int to) {
    boolean negative = text[from] == '-';
    long value = 0;
    for (int i = negative || text[from] == '+' ? from + 1 : from; i < to; i++) {
      value = Math.min(value * 10 + text[i] - '0', Integer.MAX_VALUE * 2L);
    }
    return negative ? -value : value;
  }

  private double nearest(byte[] text, int from, int to) {
    double nearest = cut ? Double.NaN : NearestDouble.of(digits, exponent);
    if (!Double.isNaN(nearest)) {
      return nearest;
    }
    double parsed =
        Double.parseDouble(new String(text, from, to - from, StandardCharsets.US_ASCII));
    if (Double.isInfinite(parsed)) {
      throw new ArithmeticException(
          "number is beyond the range of a double: " + excerpt(text, from, to));
    }
    return parsed;
  }

  private static String excerpt(byte[] text, int from, int to) {
    return Excerpt.of(new String(text, from, to - from, StandardCharsets.US_ASCII));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
