package dev.agentreplay.model.number;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class NumberLayoutTest {

  private static final int MARGIN = 3;

  @Example
  void numbers_of_few_digits_are_common_exactly_if_their_layout_is_equal() {
    for (long digits = 1; digits <= 999; digits++) {
      if (digits % 10 != 0) {
        for (int exponent = -345; exponent <= 310; exponent++) {
          checkCommon(digits, exponent);
        }
      }
    }
    checkCommon(0, 0);
    assertThat(NumberLayout.isCommon(0, 0)).isFalse();
  }

  @Property(tries = 10_000)
  void numbers_are_common_exactly_if_their_layout_is_equal(
      @ForAll("digits") long digits, @ForAll @IntRange(min = -40, max = 30) int exponent) {
    checkCommon(digits, exponent);
  }

  @Property(tries = 5_000)
  void every_layout_has_the_value_and_fits(
      @ForAll("digits") long digits,
      @ForAll @IntRange(min = -345, max = 309) int exponent,
      @ForAll boolean negative) {
    BigDecimal value = BigDecimal.valueOf(negative ? -digits : digits).scaleByPowerOfTen(exponent);
    for (NumberLayout layout : NumberLayout.values()) {
      assertThat(new BigDecimal(text(layout, negative, digits, exponent)))
          .isEqualByComparingTo(value);
    }
  }

  @Example
  void zero_keeps_its_sign_only_where_doubles_and_integers_differ() {
    assertThat(text(NumberLayout.SERDE, true, 0, 0)).isEqualTo("-0.0");
    assertThat(text(NumberLayout.SERDE_RYU, true, 0, 0)).isEqualTo("-0.0");
    assertThat(text(NumberLayout.ECMASCRIPT, true, 0, 0)).isEqualTo("0");
    assertThat(text(NumberLayout.PYTHON, true, 0, 0)).isEqualTo("-0.0");
  }

  @Provide
  Arbitrary<Long> digits() {
    return Arbitraries.integers()
        .between(1, 17)
        .flatMap(length -> Arbitraries.longs()
            .between((long) Math.pow(10, length - 1), (long) Math.pow(10, length) - 1))
        .filter(digits -> digits % 10 != 0);
  }

  private static void checkCommon(long digits, int exponent) {
    for (boolean negative : new boolean[] {false, true}) {
      String serde = text(NumberLayout.SERDE, negative, digits, exponent);
      boolean alike = serde.equals(text(NumberLayout.SERDE_RYU, negative, digits, exponent))
          && serde.equals(text(NumberLayout.ECMASCRIPT, negative, digits, exponent));
      if (NumberLayout.isCommon(digits, exponent) != alike) {
        throw new AssertionError(digits + "e" + exponent + ": alike " + alike);
      }
    }
  }

  /** The text that is written at an offset of an array filled with other bytes. */
  private static String text(NumberLayout layout, boolean negative, long digits, int exponent) {
    byte[] out = new byte[MARGIN + NumberLayout.MAX_BYTES];
    int end = layout.write(negative, digits, exponent, out, MARGIN);
    for (int i = 0; i < MARGIN; i++) {
      assertThat(out[i]).isZero();
    }
    return new String(out, MARGIN, end - MARGIN, StandardCharsets.US_ASCII);
  }
}
