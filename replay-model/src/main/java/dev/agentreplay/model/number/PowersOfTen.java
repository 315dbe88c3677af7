package dev.agentreplay.model.number;

import java.math.BigInteger;

/**
 * The powers of ten to 126 bits: for each exponent e the integer {@code g = floor(10^e * 2^s) + 1},
 * with the scale s for which {@code 2^125 <= g < 2^126}.
 */
final class PowersOfTen {

  /**
   * The least exponent; those up to {@link #MAX_EXPONENT} suffice for the shortest decimals of
   * doubles.
   */
  static final int MIN_EXPONENT = -292;

  static final int MAX_EXPONENT = 324;

  private static final int HALF_BITS = 63;
  private static final int SCALED_BITS = 125;

  /** The high and the low 63 bits of each g. */
  private static final long[] HALVES = halves();

  private PowersOfTen() {}

  /** The high 63 bits of g. */
  static long high(int exponent) {
    return HALVES[(exponent - MIN_EXPONENT) * 2];
  }

  /** The low 63 bits of g. */
  static long low(int exponent) {
    return HALVES[(exponent - MIN_EXPONENT) * 2 + 1];
  }

  /** The scale s of g. */
  static int scale(int exponent) {
    return SCALED_BITS - floorLog2(exponent);
  }

  /** The floor of log2(10^exponent). */
  static int floorLog2(int exponent) {
    return (int) ((exponent * 913_124_641_741L) >> 38);
  }

  private static long[] halves() {
    long[] halves = new long[(MAX_EXPONENT - MIN_EXPONENT + 1) * 2];
    for (int e = MIN_EXPONENT; e <= MAX_EXPONENT; e++) {
      BigInteger power = BigInteger.TEN.pow(Math.abs(e));
      int scale = scale(e);
      BigInteger g;
      if (e < 0) {
        g = BigInteger.ONE.shiftLeft(scale).divide(power);
      } else {
        g = scale >= 0 ? power.shiftLeft(scale) : power.shiftRight(-scale);
      }
      g = g.add(BigInteger.ONE);
      halves[(e - MIN_EXPONENT) * 2] = g.shiftRight(HALF_BITS).longValueExact();
      halves[(e - MIN_EXPONENT) * 2 + 1] = g.longValue() & Long.MAX_VALUE;
    }
    return halves;
  }
}
