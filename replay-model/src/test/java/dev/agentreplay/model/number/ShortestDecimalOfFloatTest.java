package dev.agentreplay.model.number;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;

/** Holds the shortest decimals of floats against all that are as short or shorter. */
class ShortestDecimalOfFloatTest {

  private static final int MAX_DIGITS = 9;

  @Property(tries = 10_000)
  void every_bit_pattern(@ForAll("finite") float value) {
    check(value);
  }

  @Example
  void powers_of_two_and_their_neighbors() {
    for (int exponent = -149; exponent <= 127; exponent++) {
      float power = Math.scalb(1f, exponent);
      check(exponent == -149 ? power : Math.nextDown(power));
      check(power);
      check(Math.nextUp(power));
    }
  }

  @Example
  void smallest_and_largest_floats() {
    for (int i = 1; i <= 3_000; i++) {
      check(Float.intBitsToFloat(i));
      check(Float.intBitsToFloat(Float.floatToIntBits(Float.MIN_NORMAL) - 1_500 + i));
      check(Float.intBitsToFloat(Float.floatToIntBits(Float.MAX_VALUE) + 1 - i));
    }
  }

  @Example
  void few_digits_stay_as_they_are() {
    for (int digits = 1; digits <= 99; digits++) {
      for (int exponent = -37; exponent <= 36; exponent++) {
        if (digits % 10 != 0) {
          assertThat(ShortestDecimal.of(Float.parseFloat(digits + "e" + exponent)))
              .isEqualTo(new ShortestDecimal(digits, exponent));
        }
      }
    }
  }

  @Example
  void zero_has_no_digits_and_what_is_not_finite_is_refused() {
    assertThat(ShortestDecimal.of(0f)).isEqualTo(new ShortestDecimal(0, 0));
    assertThat(ShortestDecimal.of(-0f)).isEqualTo(new ShortestDecimal(0, 0));
    assertThat(ShortestDecimal.of(-1.5f)).isEqualTo(new ShortestDecimal(15, -1));
    assertThatIllegalArgumentException().isThrownBy(() -> ShortestDecimal.of(Float.NaN));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ShortestDecimal.of(Float.NEGATIVE_INFINITY));
  }

  @Provide
  Arbitrary<Float> finite() {
    return Arbitraries.integers()
        .withDistribution(RandomDistribution.uniform())
        .map(Float::intBitsToFloat)
        .filter(value -> Float.isFinite(value) && value != 0);
  }

  private static void check(float value) {
    float magnitude = Math.abs(value);
    BigDecimal exact = new BigDecimal(magnitude);
    ShortestDecimal shortest = ShortestDecimal.of(value);
    BigDecimal decimal =
        BigDecimal.valueOf(shortest.digits()).scaleByPowerOfTen(shortest.exponent());
    assertThat(readsBack(decimal, magnitude))
        .as("%s reads back to %s", decimal, value)
        .isTrue();
    assertThat(shortest.digits() % 10).as("last digit of %s", decimal).isNotZero();

    for (int length = 1; length <= MAX_DIGITS; length++) {
      BigDecimal closest = closest(exact, magnitude, length);
      if (closest != null) {
        assertThat(decimal.precision())
            .as("%s for %s", closest, decimal)
            .isEqualTo(closest.stripTrailingZeros().precision());
        assertThat(exact.subtract(decimal).abs())
            .as("%s for %s", closest, decimal)
            .isEqualByComparingTo(exact.subtract(closest).abs());
        return;
      }
    }
    throw new AssertionError("no decimal reads back to " + value);
  }

  /** Of the decimals of so many digits that read back, the closest; null if there is none. */
  private static BigDecimal closest(BigDecimal exact, float value, int length) {
    BigDecimal below = exact.round(new MathContext(length, RoundingMode.FLOOR));
    BigDecimal above = exact.round(new MathContext(length, RoundingMode.CEILING));
    boolean isBelow = readsBack(below, value);
    if (!readsBack(above, value)) {
      return isBelow ? below : null;
    }
    boolean nearer = isBelow && exact.subtract(below).compareTo(above.subtract(exact)) < 0;
    return nearer ? below : above;
  }

  private static boolean readsBack(BigDecimal decimal, float value) {
    return Float.parseFloat(decimal.toString()) == value;
  }
}
