package dev.agentreplay.model.internal;

import java.math.BigInteger;

/**
 * The shortest decimal that reads back to a double, and among those the one closest to it.
 *
 * <p>Raffaello Giulietti, "The Schubfach way to render doubles" (2020). {@link Double#toString} is
 * not shortest before JDK 19, and never shorter than two digits.
 *
 * @param digits the significant digits, without trailing zeros; 0 only for zero
 * @param exponent the power of ten that {@code digits} is multiplied by
 */
public record ShortestDouble(long digits, int exponent) {

  private static final int FRACTION_BITS = 52;
  private static final long HIDDEN_BIT = 1L << FRACTION_BITS;
  private static final int MIN_EXPONENT = -1074;
  private static final long MASK_63 = Long.MAX_VALUE;

  /** Decimal exponents that occur: floor(log10(2^-1074)) to floor(log10(2^971)). */
  private static final int MIN_K = -324;

  private static final int MAX_K = 292;

  /** The layout switches to an exponent when the decimal point would stand outside -4..16. */
  private static final int MAX_POINT = 16;

  private static final int MIN_POINT = -5;

  /**
   * For each k the 126-bit g = floor(10^-k * 2^s) + 1, scaled to 2^125 <= g < 2^126, as its high
   * and low 63 bits.
   */
  private static final long[] POWERS = powers();

  /**
   * The shortest decimal of a finite double; the sign is dropped.
   *
   * @throws IllegalArgumentException for NaN and infinities
   */
  public static ShortestDouble of(double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("not finite: " + value);
    }
    long bits = Double.doubleToRawLongBits(value) & Long.MAX_VALUE;
    int biased = (int) (bits >>> FRACTION_BITS);
    long fraction = bits & (HIDDEN_BIT - 1);
    if (bits == 0) {
      return new ShortestDouble(0, 0);
    }
    return biased == 0
        ? shortest(MIN_EXPONENT, fraction)
        : shortest(biased - 1 + MIN_EXPONENT, fraction | HIDDEN_BIT);
  }

  /**
   * The text that serde_json (since 1.0.147) writes: {@code 1.0}, {@code 0.00001}, {@code 1e-6},
   * {@code 1e+16}, {@code -0.0}.
   */
  public static String toString(double value) {
    ShortestDouble decimal = of(value);
    StringBuilder out = new StringBuilder(24);
    if (Double.doubleToRawLongBits(value) < 0) {
      out.append('-');
    }
    String digits = Long.toString(decimal.digits);
    int point = digits.length() + decimal.exponent;
    if (decimal.digits == 0) {
      out.append("0.0");
    } else if (decimal.exponent >= 0 && point <= MAX_POINT) {
      out.append(digits).append("0".repeat(decimal.exponent)).append(".0");
    } else if (point > 0 && point <= MAX_POINT) {
      out.append(digits, 0, point).append('.').append(digits, point, digits.length());
    } else if (point > MIN_POINT && point <= 0) {
      out.append("0.").append("0".repeat(-point)).append(digits);
    } else {
      out.append(digits.charAt(0));
      if (digits.length() > 1) {
        out.append('.').append(digits, 1, digits.length());
      }
      out.append(point - 1 < 0 ? "e" : "e+").append(point - 1);
    }
    return out.toString();
  }

  /** The value is c * 2^q. */
  private static ShortestDouble shortest(int q, long c) {
    long odd = c & 1;
    long middle = c << 2;
    long upper = middle + 2;
    long lower;
    int k;
    if (c != HIDDEN_BIT || q == MIN_EXPONENT) {
      lower = middle - 2;
      k = floorLog10Pow2(q);
    } else {
      // the neighbour below a power of two is half as far away
      lower = middle - 1;
      k = floorLog10ThreeQuartersPow2(q);
    }
    int shift = q + floorLog2Pow10(-k) + 2;
    long high = POWERS[(k - MIN_K) * 2];
    long low = POWERS[(k - MIN_K) * 2 + 1];
    long scaled = roundToOdd(high, low, middle << shift);
    long scaledLower = roundToOdd(high, low, lower << shift);
    long scaledUpper = roundToOdd(high, low, upper << shift);
    long s = scaled >> 2;
    if (s >= 10) {
      long down = s / 10 * 10;
      long up = down + 10;
      boolean downIn = scaledLower + odd <= down << 2;
      boolean upIn = (up << 2) + odd <= scaledUpper;
      if (downIn != upIn) {
        return strip(downIn ? down : up, k);
      }
    }
    long t = s + 1;
    boolean sIn = scaledLower + odd <= s << 2;
    boolean tIn = (t << 2) + odd <= scaledUpper;
    if (sIn != tIn) {
      return strip(sIn ? s : t, k);
    }
    long compared = scaled - ((s + t) << 1);
    return strip(compared < 0 || (compared == 0 && (s & 1) == 0) ? s : t, k);
  }

  private static ShortestDouble strip(long digits, int exponent) {
    long d = digits;
    int e = exponent;
    while (d % 10 == 0) {
      d /= 10;
      e++;
    }
    return new ShortestDouble(d, e);
  }

  /** The upper part of g * cp, its lowest bit set when anything was cut off. */
  private static long roundToOdd(long high, long low, long cp) {
    long x1 = Math.multiplyHigh(low, cp);
    long y0 = high * cp;
    long y1 = Math.multiplyHigh(high, cp);
    long z = (y0 >>> 1) + x1;
    long w = y1 + (z >>> 63);
    return w | (((z & MASK_63) + MASK_63) >>> 63);
  }

  private static int floorLog10Pow2(int e) {
    return (int) ((e * 661_971_961_083L) >> 41);
  }

  private static int floorLog10ThreeQuartersPow2(int e) {
    return (int) ((e * 661_971_961_083L - 274_743_187_321L) >> 41);
  }

  private static int floorLog2Pow10(int e) {
    return (int) ((e * 913_124_641_741L) >> 38);
  }

  private static long[] powers() {
    long[] powers = new long[(MAX_K - MIN_K + 1) * 2];
    for (int k = MIN_K; k <= MAX_K; k++) {
      int scale = 125 - floorLog2Pow10(-k);
      BigInteger power = BigInteger.TEN.pow(Math.abs(k));
      BigInteger g;
      if (k <= 0) {
        g = scale >= 0 ? power.shiftLeft(scale) : power.shiftRight(-scale);
      } else {
        g = BigInteger.ONE.shiftLeft(scale).divide(power);
      }
      g = g.add(BigInteger.ONE);
      powers[(k - MIN_K) * 2] = g.shiftRight(63).longValueExact();
      powers[(k - MIN_K) * 2 + 1] = g.longValue() & MASK_63;
    }
    return powers;
  }
}
