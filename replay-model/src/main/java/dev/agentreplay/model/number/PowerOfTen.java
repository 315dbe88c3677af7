package dev.agentreplay.model.number;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * A power of ten to 126 bits: for the exponent e the integer {@code g = floor(10^e * 2^s) + 1},
 * with the scale s for which {@code 2^125 <= g < 2^126}. Immutable and safe for use by several
 * threads.
 *
 * @param high the high 63 bits of g
 * @param low the low 63 bits of g
 */
record PowerOfTen(long high, long low) {

  /**
   * The least exponent; those up to {@link #MAX_EXPONENT} suffice for the shortest decimals of
   * doubles.
   */
  static final int MIN_EXPONENT = -292;

  static final int MAX_EXPONENT = 324;

  private static final int HALF_BITS = 63;
  private static final int SCALED_BITS = 125;

  /**
   * The powers that were used; null for the others, because all of them take long to compute.
   * Several threads may compute the same one.
   */
  private static final @Nullable PowerOfTen[] KNOWN =
      new PowerOfTen[MAX_EXPONENT - MIN_EXPONENT + 1];

  /** Returns the power with an exponent from {@link #MIN_EXPONENT} to {@link #MAX_EXPONENT}. */
  static PowerOfTen of(int exponent) {
    PowerOfTen known = KNOWN[exponent - MIN_EXPONENT];
    return known == null ? compute(exponent) : known;
  }

  /** The scale s of g. */
  static int scale(int exponent) {
    return SCALED_BITS - floorLog2(exponent);
  }

  /** The floor of log2(10^exponent). */
  static int floorLog2(int exponent) {
    return (int) ((exponent * 913_124_641_741L) >> 38);
  }

  private static PowerOfTen compute(int exponent) {
    BigInteger power = BigInteger.TEN.pow(Math.abs(exponent));
    int scale = scale(exponent);
    BigInteger g;
    if (exponent < 0) {
      g = BigInteger.ONE.shiftLeft(scale).divide(power);
    } else {
      g = scale >= 0 ? power.shiftLeft(scale) : power.shiftRight(-scale);
    }
    g = g.add(BigInteger.ONE);
    PowerOfTen computed =
        new PowerOfTen(g.shiftRight(HALF_BITS).longValueExact(), g.longValue() & Long.MAX_VALUE);
    KNOWN[exponent - MIN_EXPONENT] = computed;
    return computed;
  }
}
