package dev.agentreplay.model.number;

/**
 * The shortest decimal that reads back to a double or float, and of several the one closest to it.
 *
 * <p>The method is that of Raffaello Giulietti, "The Schubfach way to render doubles" (2020).
 * {@link Double#toString} does not always return the shortest before JDK 19, and never fewer than
 * two digits. Immutable and safe for use by several threads.
 *
 * @param digits the significant digits, without trailing zeros; 0 only for zero
 * @param exponent the power of ten that {@code digits} is multiplied by
 */
public record ShortestDecimal(long digits, int exponent) {

  private static final int FRACTION_BITS = 52;
  private static final int MIN_EXPONENT = -1074;
  private static final int FLOAT_FRACTION_BITS = 23;
  private static final int FLOAT_MIN_EXPONENT = -149;
  private static final long MASK_63 = Long.MAX_VALUE;

  /**
   * Returns the shortest decimal of a finite double, without its sign.
   *
   * @throws IllegalArgumentException for NaN and infinities
   */
  public static ShortestDecimal of(double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("not finite: " + value);
    }
    return of(Double.doubleToRawLongBits(value) & Long.MAX_VALUE, FRACTION_BITS, MIN_EXPONENT);
  }

  /**
   * Returns the shortest decimal that reads back to a finite float, without its sign.
   *
   * @throws IllegalArgumentException for NaN and infinities
   */
  public static ShortestDecimal of(float value) {
    if (!Float.isFinite(value)) {
      throw new IllegalArgumentException("not finite: " + value);
    }
    int bits = Float.floatToRawIntBits(value) & Integer.MAX_VALUE;
    return of(bits, FLOAT_FRACTION_BITS, FLOAT_MIN_EXPONENT);
  }

  /**
   * Returns the shortest decimal of a floating-point number.
   *
   * @param bits the bits of the number without the sign
   * @param minExponent the power of two that a subnormal fraction is multiplied by
   */
  private static ShortestDecimal of(long bits, int fractionBits, int minExponent) {
    if (bits == 0) {
      return new ShortestDecimal(0, 0);
    }
    long hiddenBit = 1L << fractionBits;
    int biased = (int) (bits >>> fractionBits);
    long fraction = bits & (hiddenBit - 1);
    return biased == 0
        ? shortest(minExponent, fraction, false)
        : shortest(minExponent + biased - 1, fraction | hiddenBit, fraction == 0 && biased > 1);
  }

  /**
   * Returns the text that serde_json (since 1.0.147) writes for a finite double.
   *
   * @throws IllegalArgumentException for NaN and infinities
   */
  public static String toString(double value) {
    return NumberLayout.SERDE.text(Double.doubleToRawLongBits(value) < 0, of(value));
  }

  /**
   * Returns the shortest decimal that is nearer to c * 2^q than to its neighbors.
   *
   * @param nearerBelow whether the lower neighbor is at half the distance, as it is below a power
   *     of two
   */
  private static ShortestDecimal shortest(int q, long c, boolean nearerBelow) {
    long odd = c & 1;
    long middle = c << 2;
    long upper = middle + 2;
    long lower;
    int k;
    if (nearerBelow) {
      lower = middle - 1;
      k = floorLog10ThreeQuartersPow2(q);
    } else {
      lower = middle - 2;
      k = floorLog10Pow2(q);
    }
    int shift = q + PowerOfTen.floorLog2(-k) + 2;
    PowerOfTen power = PowerOfTen.of(-k);
    long scaled = roundToOdd(power, middle << shift);
    long scaledLower = roundToOdd(power, lower << shift);
    long scaledUpper = roundToOdd(power, upper << shift);
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

  private static ShortestDecimal strip(long digits, int exponent) {
    long d = digits;
    int e = exponent;
    while (d % 10 == 0) {
      d /= 10;
      e++;
    }
    return new ShortestDecimal(d, e);
  }

  /**
   * Returns the upper part of g * cp, with the lowest bit set when bits other than 0 were cut off.
   */
  private static long roundToOdd(PowerOfTen power, long cp) {
    long x1 = Math.multiplyHigh(power.low(), cp);
    long y0 = power.high() * cp;
    long y1 = Math.multiplyHigh(power.high(), cp);
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
}
