package dev.agentreplay.model.number;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.RoundingMode;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;

/** Holds the three promises of a shortest decimal against exact arithmetic. */
class ShortestDecimalPropertiesTest {

  @Property(tries = 10_000)
  void every_bit_pattern(@ForAll("finite") double value) {
    check(value);
  }

  @Property(tries = 3_000)
  void doubles_of_few_digits(@ForAll("fewDigits") double value) {
    check(value);
  }

  @Example
  void powers_of_two_and_their_neighbors() {
    for (int exponent = -1074; exponent <= 1023; exponent++) {
      checkWithNeighbors(Math.scalb(1.0, exponent));
    }
  }

  @Example
  void powers_of_ten_and_their_neighbors() {
    for (int exponent = -324; exponent <= 308; exponent++) {
      checkWithNeighbors(Double.parseDouble("1e" + exponent));
    }
  }

  @Example
  void smallest_and_largest_doubles() {
    for (long bits = 0; bits < 2_000; bits++) {
      check(Double.longBitsToDouble(bits));
      check(Double.longBitsToDouble(Double.doubleToLongBits(Double.MIN_NORMAL) - bits));
    }
    for (long bits = 0; bits < 100; bits++) {
      check(Double.longBitsToDouble(Double.doubleToLongBits(Double.MAX_VALUE) - bits));
    }
  }

  @Example
  void integers_around_the_limit_of_exactness() {
    for (long i = -500; i < 500; i++) {
      check((1L << 53) + i);
      check(1e15 + i);
      check(1e16 + i);
    }
  }

  @Provide
  Arbitrary<Double> finite() {
    return Arbitraries.longs()
        .withDistribution(RandomDistribution.uniform())
        .map(Double::longBitsToDouble)
        .filter(Double::isFinite);
  }

  @Provide
  Arbitrary<Double> fewDigits() {
    return Arbitraries.integers().between(1, 99_999).flatMap(digits -> Arbitraries.integers()
        .between(-320, 300)
        .map(exponent -> Double.parseDouble(digits + "e" + exponent)));
  }

  private static void checkWithNeighbors(double value) {
    check(Math.nextDown(value));
    check(value);
    check(Math.nextUp(value));
  }

  private static void check(double value) {
    String text = ShortestDecimal.toString(value);
    assertThat(Double.doubleToRawLongBits(Double.parseDouble(text)))
        .as("%s reads back", text)
        .isEqualTo(Double.doubleToRawLongBits(value));

    double magnitude = Math.abs(value);
    ShortestDecimal shortest = ShortestDecimal.of(value);
    if (magnitude == 0) {
      return;
    }
    assertThat(shortest.digits() % 10).as("last digit of %s", text).isNotZero();

    BigDecimal exact = new BigDecimal(magnitude);
    int coarser = -(shortest.exponent() + 1);
    for (RoundingMode mode : new RoundingMode[] {RoundingMode.FLOOR, RoundingMode.CEILING}) {
      BigDecimal fewerDigits = exact.setScale(coarser, mode);
      assertThat(readsBack(fewerDigits, magnitude))
          .as("%s is shorter than %s", fewerDigits, text)
          .isFalse();
    }

    BigDecimal distance =
        exact.subtract(decimal(shortest.digits(), shortest.exponent())).abs();
    for (int step = -1; step <= 1; step += 2) {
      BigDecimal other = decimal(shortest.digits() + step, shortest.exponent());
      boolean closer = exact.subtract(other).abs().compareTo(distance) < 0;
      assertThat(closer && readsBack(other, magnitude))
          .as("%s is closer than %s", other, text)
          .isFalse();
    }
  }

  private static BigDecimal decimal(long digits, int exponent) {
    return BigDecimal.valueOf(digits).scaleByPowerOfTen(exponent);
  }

  private static boolean readsBack(BigDecimal decimal, double value) {
    return Double.parseDouble(decimal.toString()) == value;
  }
}
