package dev.agentreplay.engine.diff.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.model.json.JsonNumber;
import java.math.BigDecimal;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ToleranceTest {

  @ParameterizedTest
  @CsvSource({
    "/a=0.01, 0.1, 0.11",
    "/a=0, 1.0, 1",
    "/a=1, 9223372036854775807, 9223372036854775808",
    "/a=1, 123456789012345678901234567890, 123456789012345678901234567891",
    "/a=1%, 99, 100",
    "/a=1%, -99, -100",
    "/a=100%, 0, 5",
    "/a=200%, -5, 5",
    "/a=0.5%, 199, 200",
    "/a=0, 0.0, -0.0",
    "/a=0, 1e-999999999, 0",
    "/a=0, 1e-99999999999999999999, -1e-999999999",
    "/a=1e300, 1e308, 0.99999999e308",
  })
  void numbers_are_within_tolerance(String tolerance, String left, String right) {
    assertThat(allows(tolerance, left, right)).isTrue();
    assertThat(allows(tolerance, right, left)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "/a=0.01, 0.1, 0.1100000000000000001",
    "/a=0, 1, 1.0000000000000000000001",
    "/a=1, 9223372036854775807, 9223372036854775809",
    "/a=1%, 98.9999, 100",
    "/a=99%, 0, 1e-320",
    "/a=199%, -5, 5",
    "/a=1, 1e308, 1e307",
  })
  void numbers_are_not_within_tolerance(String tolerance, String left, String right) {
    assertThat(allows(tolerance, left, right)).isFalse();
    assertThat(allows(tolerance, right, left)).isFalse();
  }

  @Property
  void tolerance_is_that_of_exact_arithmetic(
      @ForAll BigDecimal left, @ForAll BigDecimal right, @ForAll boolean relative) {
    BigDecimal amount = new BigDecimal("0.25");
    Tolerance tolerance =
        relative ? Tolerance.at("/a").relative(amount) : Tolerance.at("/a").absolute(amount);
    BigDecimal allowed = relative ? left.abs().max(right.abs()).multiply(amount) : amount;

    assertThat(tolerance.allows(JsonNumber.of(left), JsonNumber.of(right)))
        .isEqualTo(left.subtract(right).abs().compareTo(allowed) <= 0);
  }

  @Test
  void number_of_many_digits_is_within_no_tolerance() {
    String digits = "0." + "1".repeat(1_000_000);
    assertThat(allows("/a=1", digits, "0")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "/output/price=0.01, tolerance /output/price 0.01",
    "/output/price=1%, tolerance /output/price 1%",
    "/output/price=12.50%, tolerance /output/price 12.5%",
    "/a=b=1e2, tolerance /a=b 100",
  })
  void tolerance_is_parsed(String text, String description) {
    assertThat(Tolerance.parse(text).description()).isEqualTo(description);
  }

  @ParameterizedTest
  @CsvSource({"/a=1%, /a=1.0%", "/a=0.1, /a=0.10", "/a=100, /a=1e2", "/a=0, /a=0.00"})
  void same_amount_written_otherwise_is_an_equal_tolerance(String text, String other) {
    assertThat(Tolerance.parse(other))
        .isEqualTo(Tolerance.parse(text))
        .hasSameHashCodeAs(Tolerance.parse(text));
  }

  @Test
  void double_is_its_shortest_decimal() {
    assertThat(Tolerance.relative("/a", 0.1)).isEqualTo(Tolerance.parse("/a=10%"));
    assertThat(Tolerance.absolute("/a", 0.1)).isEqualTo(Tolerance.parse("/a=0.1"));
    assertThat(Tolerance.absolute("/a", 1e300)).isEqualTo(Tolerance.parse("/a=1e300"));
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void double_that_is_negative_or_infinite_is_refused(double amount) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tolerance.relative("/a", amount))
        .withMessageContaining("must");
    assertThatIllegalArgumentException().isThrownBy(() -> Tolerance.absolute("/a", amount));
  }

  @Test
  void tolerance_without_an_amount_lets_equal_values_be_equal() {
    Tolerance tolerance = Tolerance.at("/a");

    assertThat(tolerance.allows(JsonNumber.of("1.0"), JsonNumber.of("1"))).isTrue();
    assertThat(tolerance.allows(JsonNumber.of("1.01"), JsonNumber.of("1"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/a",
        "/a=",
        "/a=%",
        "/a=x",
        "/a=-1",
        "/a=-1%",
        "a=1",
        "=1",
        "/a=1e999999999",
        "/a=1e-999999999%",
        "/a=1e-2147483647%",
        "/a=100e2147483647",
        "/a=100e2147483647%",
        "/a=1e99999999999",
        "/a=1%%",
      })
  void text_other_than_a_tolerance_is_refused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> Tolerance.parse(text));
  }

  private static boolean allows(String tolerance, String left, String right) {
    return Tolerance.parse(tolerance).allows(JsonNumber.of(left), JsonNumber.of(right));
  }
}
