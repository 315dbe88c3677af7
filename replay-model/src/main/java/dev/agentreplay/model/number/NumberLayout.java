package dev.agentreplay.model.number;

import java.nio.charset.StandardCharsets;

/**
 * The layouts of the digits of a double as a JSON number: placement of the decimal point, and use
 * of an exponent.
 */
public enum NumberLayout {
  /** serde_json since 1.0.147: {@code 1.0}, {@code 1e+16}, {@code 0.00001}, {@code 1e-6}. */
  SERDE(-5, 16, true, 1),
  /** serde_json before 1.0.147: {@code 1.0}, {@code 1e16}, {@code 0.00001}, {@code 1e-6}. */
  SERDE_RYU(-5, 16, true, 1),
  /**
   * ECMAScript, {@code Number::toString}, as in RFC 8785: {@code 1}, {@code 1e+21},
   * {@code 0.000001}, {@code 1e-7}.
   */
  ECMASCRIPT(-6, 21, false, 1),
  /** Python, {@code float.__repr__}: {@code 1.0}, {@code 1e+16}, {@code 0.0001}, {@code 1e-05}. */
  PYTHON(-4, 16, true, 2);

  /** The maximum length of a number in bytes. */
  public static final int MAX_BYTES = 32;

  /** The powers of ten from 10^0 to 10^18. */
  private static final long[] POWERS = powers();

  /**
   * The place of the decimal point, counted from the first digit, at and below which an exponent is
   * written.
   */
  private final int minPoint;

  /** The place of the decimal point above which an exponent is written. */
  private final int maxPoint;

  /** Whether an integral double is distinguished from an integer by {@code .0}, and -0 from 0. */
  private final boolean marksDoubles;

  private final int minExponentDigits;

  NumberLayout(int minPoint, int maxPoint, boolean marksDoubles, int minExponentDigits) {
    this.minPoint = minPoint;
    this.maxPoint = maxPoint;
    this.marksDoubles = marksDoubles;
    this.minExponentDigits = minExponentDigits;
  }

  /**
   * Whether the layout of {@code digits * 10^exponent} is the same in {@link #SERDE},
   * {@link #SERDE_RYU} and {@link #ECMASCRIPT}.
   *
   * @param digits the digits without trailing zeros; 0 only for zero
   */
  public static boolean isCommon(long digits, int exponent) {
    int point = length(digits) + exponent;
    return exponent < 0 && point <= SERDE.maxPoint && point != SERDE.minPoint;
  }

  /** Returns the text of a decimal. */
  public String text(boolean negative, ShortestDecimal decimal) {
    byte[] out = new byte[MAX_BYTES];
    int end = write(negative, decimal.digits(), decimal.exponent(), out, 0);
    return new String(out, 0, end, StandardCharsets.US_ASCII);
  }

  /**
   * Writes {@code digits * 10^exponent}.
   *
   * @param digits the digits without trailing zeros; 0 only for zero
   * @param out the array to write to, with room for {@link #MAX_BYTES} bytes from {@code at}
   * @return the index after the last byte written
   */
  public int write(boolean negative, long digits, int exponent, byte[] out, int at) {
    int end = at;
    if (negative && (digits != 0 || marksDoubles)) {
      out[end++] = '-';
    }
    int length = length(digits);
    int point = length + exponent;
    if (point > maxPoint || point <= minPoint) {
      return scientific(digits, length, point - 1, out, end);
    }
    if (point <= 0) {
      out[end++] = '0';
      out[end++] = '.';
      end = zeros(-point, out, end);
      return digits(digits, length, out, end);
    }
    if (exponent < 0) {
      return split(digits, length, point, out, end);
    }
    end = digits(digits, length, out, end);
    end = zeros(exponent, out, end);
    if (marksDoubles) {
      out[end++] = '.';
      out[end++] = '0';
    }
    return end;
  }

  /**
   * Writes an integer, without sign.
   *
   * @param magnitude the integer, from 0 and less than 10^18
   * @param out the array to write to, with room for {@link #MAX_BYTES} bytes from {@code at}
   * @return the index after the last byte written
   */
  public static int integer(long magnitude, byte[] out, int at) {
    return digits(magnitude, length(magnitude), out, at);
  }

  private int scientific(long digits, int length, int exponent, byte[] out, int at) {
    int end = length == 1 ? digits(digits, 1, out, at) : split(digits, length, 1, out, at);
    out[end++] = 'e';
    if (exponent < 0) {
      out[end++] = '-';
    } else if (this != SERDE_RYU) {
      out[end++] = '+';
    }
    int magnitude = Math.abs(exponent);
    return digits(magnitude, Math.max(minExponentDigits, length(magnitude)), out, end);
  }

  /** Writes digits with a decimal point between two of them. */
  private static int split(long digits, int length, int point, byte[] out, int at) {
    int end = digits(digits, length, out, at + 1);
    System.arraycopy(out, at + 1, out, at, point);
    out[at + point] = '.';
    return end;
  }

  private static int digits(long digits, int length, byte[] out, int at) {
    long left = digits;
    for (int i = at + length - 1; i >= at; i--) {
      out[i] = (byte) ('0' + left % 10);
      left /= 10;
    }
    return at + length;
  }

  private static int zeros(int count, byte[] out, int at) {
    for (int i = at; i < at + count; i++) {
      out[i] = '0';
    }
    return at + count;
  }

  /**
   * Returns the number of digits, which is less than the length of {@link #POWERS} for the digits
   * of a double.
   */
  private static int length(long digits) {
    int length = 1;
    while (digits >= POWERS[length]) {
      length++;
    }
    return length;
  }

  private static long[] powers() {
    long[] powers = new long[19];
    powers[0] = 1;
    for (int i = 1; i < powers.length; i++) {
      powers[i] = powers[i - 1] * 10;
    }
    return powers;
  }
}
