package dev.agentreplay.model.number;

/**
 * Converts a decimal to the nearest double, ties to even.
 *
 * <p>The method is that of Daniel Lemire, "Number parsing at a gigabyte per second" (2021): one
 * product with a rounded power of ten, and a test for an error that could change the result. Safe
 * for use by several threads.
 */
public final class NearestDouble {

  private static final int FRACTION_BITS = 52;
  private static final int MIN_EXPONENT = -1074;
  private static final int MAX_EXPONENT = 971;

  private NearestDouble() {}

  /**
   * Returns the double nearest to {@code digits * 10^exponent}, or NaN when this method cannot
   * decide: near ties, with exponents below -292 or above 324, and near the end of the range.
   *
   * @param digits an unsigned integer, not 0
   */
  public static double of(long digits, int exponent) {
    if (exponent < PowerOfTen.MIN_EXPONENT || exponent > PowerOfTen.MAX_EXPONENT) {
      return Double.NaN;
    }
    int leadingZeros = Long.numberOfLeadingZeros(digits);
    PowerOfTen g = PowerOfTen.of(exponent);
    long power = g.high() << 1 | g.low() >>> 62;
    // the exact product lies in [product, product + 2) in units of its lowest bit, or below it by
    // less than the error of g
    long product = unsignedMultiplyHigh(digits << leadingZeros, power);
    int shift = product < 0 ? 11 : 10;
    long rest = product & ((1L << shift) - 1);
    long half = 1L << (shift - 1);
    int q = 126 - PowerOfTen.scale(exponent) - leadingZeros + shift;
    if (rest == half || rest == half - 1 || q >= MAX_EXPONENT) {
      return Double.NaN;
    }
    // a carry out of the fraction correctly increments the exponent
    long fraction = (product >>> shift) - (1L << FRACTION_BITS) + (rest > half ? 1 : 0);
    return Double.longBitsToDouble(((q - MIN_EXPONENT + 1L) << FRACTION_BITS) + fraction);
  }

  /** Replaces {@code Math.unsignedMultiplyHigh}, which was added in JDK 18. */
  private static long unsignedMultiplyHigh(long x, long y) {
    return Math.multiplyHigh(x, y) + ((x >> 63) & y) + ((y >> 63) & x);
  }
}
