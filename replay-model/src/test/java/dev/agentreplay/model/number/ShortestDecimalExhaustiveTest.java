package dev.agentreplay.model.number;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;

/** Whole ranges of doubles, each against exact integers. */
class ShortestDecimalExhaustiveTest {

  /** Decimals are compared as integers, multiplied by a power of ten that makes them such. */
  private static final int SCALE = 400;

  /** The smallest double, 2^-1074, times 10^SCALE; what is cut off is far from the digits. */
  private static final BigInteger SMALLEST = BigInteger.TEN.pow(SCALE).shiftRight(1_074);

  @Test
  void the_first_hundred_thousand_subnormals_are_shortest_and_closest() {
    for (int multiple = 1; multiple <= 100_000; multiple++) {
      checkSubnormal(multiple);
    }
  }

  @Test
  void the_last_subnormals_are_shortest_and_closest() {
    for (long multiple = (1L << 52) - 5_000; multiple < 1L << 52; multiple++) {
      checkSubnormal(multiple);
    }
  }

  @Test
  void numbers_of_two_digits_stay_as_they_are_where_doubles_are_normal() {
    int checked = 0;
    for (int digits = 1; digits <= 99; digits++) {
      for (int exponent = -307; exponent <= 308; exponent++) {
        double value = Double.parseDouble(digits + "e" + exponent);
        if (!Double.isInfinite(value)) {
          boolean tens = digits % 10 == 0;
          ShortestDecimal expected =
              new ShortestDecimal(tens ? digits / 10 : digits, tens ? exponent + 1 : exponent);
          if (!ShortestDecimal.of(value).equals(expected)) {
            throw new AssertionError(ShortestDecimal.of(value) + ", not " + expected);
          }
          checked++;
        }
      }
    }
    assertThat(checked).isEqualTo(99 * 614 + 18);
  }

  @Test
  void numbers_of_two_digits_are_shortest_and_closest_where_doubles_are_subnormal() {
    int checked = 0;
    for (int digits = 1; digits <= 99; digits++) {
      for (int exponent = -340; exponent < -307; exponent++) {
        double value = Double.parseDouble(digits + "e" + exponent);
        if (value > 0 && value < Double.MIN_NORMAL) {
          checkSubnormal(Double.doubleToLongBits(value));
          checked++;
        }
      }
    }
    assertThat(checked).isGreaterThan(1_500);
  }

  private static void checkSubnormal(long multiple) {
    ShortestDecimal shortest = ShortestDecimal.of(Double.longBitsToDouble(multiple));
    long digits = shortest.digits();
    int exponent = shortest.exponent();
    boolean right = digits % 10 != 0
        && readsBack(digits, exponent, multiple)
        && !readsBack(digits / 10, exponent + 1, multiple)
        && !readsBack(digits / 10 + 1, exponent + 1, multiple)
        && !isCloser(digits - 1, digits, exponent, multiple)
        && !isCloser(digits + 1, digits, exponent, multiple);
    if (!right) {
      throw new AssertionError(shortest + " for " + multiple + " times the smallest double");
    }
  }

  /** Whether a decimal is nearer to a multiple of the smallest double than to the next ones. */
  private static boolean readsBack(long digits, int exponent, long multiple) {
    int side = distance(digits, exponent, multiple).shiftLeft(1).compareTo(SMALLEST);
    return side < 0;
  }

  private static boolean isCloser(long other, long digits, int exponent, long multiple) {
    return readsBack(other, exponent, multiple)
        && distance(other, exponent, multiple).compareTo(distance(digits, exponent, multiple)) < 0;
  }

  private static BigInteger distance(long digits, int exponent, long multiple) {
    return BigInteger.valueOf(digits)
        .multiply(BigInteger.TEN.pow(SCALE + exponent))
        .subtract(SMALLEST.multiply(BigInteger.valueOf(multiple)))
        .abs();
  }
}
