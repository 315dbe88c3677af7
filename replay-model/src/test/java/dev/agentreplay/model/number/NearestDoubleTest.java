package dev.agentreplay.model.number;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.constraints.IntRange;

/** Holds the nearest double against {@link Double#parseDouble}. */
class NearestDoubleTest {

  private static final BigInteger MAX_DIGITS = BigInteger.ONE.shiftLeft(64);

  @Property(tries = 20_000)
  void is_what_the_jdk_reads(
      @ForAll("digits") long digits, @ForAll @IntRange(min = -345, max = 330) int exponent) {
    check(digits, exponent);
  }

  @Property(tries = 10_000)
  void few_digits_are_what_the_jdk_reads(
      @ForAll @IntRange(min = 1, max = 9_999) int digits,
      @ForAll @IntRange(min = -345, max = 330) int exponent) {
    check(digits, exponent);
  }

  @Property(tries = 10_000)
  void decimals_next_to_a_tie_are_what_the_jdk_reads(
      @ForAll("normal") double value, @ForAll @IntRange(min = 15, max = 20) int precision) {
    BigDecimal aside = new BigDecimal(value).add(new BigDecimal(Math.ulp(value)).movePointLeft(1));
    BigDecimal half =
        new BigDecimal(value).add(new BigDecimal(Math.ulp(value)).divide(BigDecimal.valueOf(2)));
    for (BigDecimal near : new BigDecimal[] {half, aside}) {
      for (RoundingMode mode : new RoundingMode[] {RoundingMode.FLOOR, RoundingMode.CEILING}) {
        BigDecimal cut = near.round(new MathContext(precision, mode));
        if (cut.unscaledValue().compareTo(MAX_DIGITS) < 0) {
          check(cut.unscaledValue().longValue(), -cut.scale());
        }
      }
    }
  }

  @Example
  void ties_and_their_neighbors_are_what_the_jdk_reads() {
    Random random = new Random(53);
    for (int i = 0; i < 10_000; i++) {
      // 54 bits, the last one set, times a small power of two, which is a power of ten times one
      long tie = (1L << 53 | random.nextLong() >>> 11) | 1;
      for (int step = -1; step <= 1; step++) {
        check((tie << 1) + step, 0);
        check(tie + step, 0);
        check((tie << 9) + step, 0);
        check((tie << 10) + step, random.nextInt(4));
        check((tie << 8) + step, -random.nextInt(4));
      }
    }
  }

  @Example
  void edges_of_the_range_are_what_the_jdk_reads() {
    for (long digits : new long[] {
      1,
      2,
      9,
      17976931348623157L,
      17976931348623158L,
      17976931348623159L,
      22250738585072014L,
      22250738585072011L,
      49406564584124654L,
      Long.MAX_VALUE,
      Long.MIN_VALUE,
      -1,
      (1L << 53) - 1,
      1L << 53,
      (1L << 54) - 1
    }) {
      for (int exponent = -345; exponent <= 330; exponent++) {
        check(digits, exponent);
      }
    }
    assertThat(NearestDouble.of(1, Integer.MIN_VALUE)).isNaN();
    assertThat(NearestDouble.of(1, Integer.MAX_VALUE)).isNaN();
    assertThat(NearestDouble.of(1, PowerOfTen.MIN_EXPONENT - 1)).isNaN();
    assertThat(NearestDouble.of(1, PowerOfTen.MAX_EXPONENT + 1)).isNaN();
    assertThat(NearestDouble.of(1, PowerOfTen.MIN_EXPONENT)).isEqualTo(1e-292);
    assertThat(NearestDouble.of(1, 300)).isEqualTo(1e300);
    assertThat(NearestDouble.of(17976931348623157L, 292)).isNaN();
    assertThat(NearestDouble.of(89884656743115795L, 291)).isEqualTo(0x1p1023);
  }

  @Example
  void it_can_tell_but_for_a_few() {
    Random random = new Random(1);
    int untold = 0;
    for (int i = 0; i < 10_000; i++) {
      double nearest = NearestDouble.of(
          random.nextLong(1, 1_000_000_000_000_000_000L), random.nextInt(-292, 290));
      untold += Double.isNaN(nearest) ? 1 : 0;
    }
    assertThat(untold).isLessThan(100);
  }

  @Provide
  Arbitrary<Long> digits() {
    return Arbitraries.longs()
        .withDistribution(RandomDistribution.uniform())
        .filter(digits -> digits != 0);
  }

  @Provide
  Arbitrary<Double> normal() {
    return Arbitraries.longs()
        .withDistribution(RandomDistribution.uniform())
        .map(bits -> Math.abs(Double.longBitsToDouble(bits)))
        .filter(value -> Double.isFinite(value) && value >= Double.MIN_NORMAL);
  }

  private static void check(long digits, int exponent) {
    double nearest = NearestDouble.of(digits, exponent);
    if (!Double.isNaN(nearest)) {
      String text = Long.toUnsignedString(digits) + "e" + exponent;
      double expected = Double.parseDouble(text);
      if (Double.doubleToRawLongBits(nearest) != Double.doubleToRawLongBits(expected)) {
        throw new AssertionError(text + " is " + expected + ", not " + nearest);
      }
    }
  }
}
