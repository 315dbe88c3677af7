package dev.agentreplay.model.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonNumberTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "+1",
        "01",
        "-01",
        "00",
        "1.",
        ".5",
        "-.5",
        "1.e3",
        "1e",
        "1e+",
        "1E-",
        "1e1.5",
        "0x10",
        "1_000",
        " 1",
        "1 ",
        "NaN",
        "Infinity",
        "-Infinity",
        "1f",
        "1d",
        "1L",
        "--1",
        "1-",
        "\uff11",
        "\u0661",
        "1,0",
        "1e5e5",
        "1..2"
      })
  void text_other_than_a_number_is_refused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonNumber.of(text))
        .withMessage("not a JSON number: " + text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "0.0",
        "-0.0e-0",
        "1",
        "10",
        "1.50",
        "1e5",
        "1E+5",
        "1e-05",
        "0e99999",
        "1e-999999999",
        "1.7976931348623157e308",
        "123456789012345678901234567890"
      })
  void text_of_a_number_is_kept(String text) {
    assertThat(JsonNumber.of(text).text()).isEqualTo(text);
    assertThat(JsonNumber.of(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e309", "-1e309", "1.7976931348623159e308", "1e999999999999", "123e307"})
  void overflow_is_refused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonNumber.of(text))
        .withMessage("number is beyond the range of a double: " + text);
  }

  @Test
  void overflow_without_exponent_is_refused() {
    String largest = new BigDecimal(Double.MAX_VALUE).toPlainString();
    String tooLarge = "9" + largest.substring(1);

    assertThat(JsonNumber.of(largest).asDouble()).isEqualTo(Double.MAX_VALUE);
    assertThatIllegalArgumentException().isThrownBy(() -> JsonNumber.of(tooLarge));
    assertThatIllegalArgumentException().isThrownBy(() -> JsonNumber.of("-" + tooLarge + ".0"));
    assertThatIllegalArgumentException().isThrownBy(() -> JsonNumber.of("1" + "0".repeat(309)));
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void double_that_is_not_finite_is_refused(double value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonNumber.of(value))
        .withMessage("JSON has no number for " + value);
  }

  @Test
  void numbers_of_java_values_have_the_texts_they_should() {
    assertThat(JsonNumber.of(Long.MIN_VALUE)).hasToString("-9223372036854775808");
    assertThat(JsonNumber.of(0.1)).hasToString("0.1");
    assertThat(JsonNumber.of(1e16)).hasToString("1e+16");
    assertThat(JsonNumber.of(-0.0)).hasToString("-0.0");
    assertThat(JsonNumber.of(1.0)).hasToString("1.0");
    assertThat(JsonNumber.of(new BigDecimal("1.500"))).hasToString("1.500");
    assertThat(JsonNumber.of(new BigDecimal("1e5"))).hasToString("1E+5");
    assertThat(JsonNumber.of(BigInteger.TWO.pow(64))).hasToString("18446744073709551616");
    assertThatIllegalArgumentException().isThrownBy(() -> JsonNumber.of(BigInteger.TWO.pow(1024)));
    assertThatIllegalArgumentException().isThrownBy(() -> JsonNumber.of(new BigDecimal("1e400")));
  }

  @Test
  void equality_is_that_of_the_text() {
    assertThat(JsonNumber.of("1"))
        .isEqualTo(JsonNumber.of(1))
        .hasSameHashCodeAs(JsonNumber.of(1))
        .isNotEqualTo(JsonNumber.of("1.0"))
        .isNotEqualTo(JsonNumber.of("1e0"));
    assertThat(JsonNumber.of("0")).isNotEqualTo(JsonNumber.of("-0"));
  }

  @ParameterizedTest
  @CsvSource({
    "0, true",
    "-12, true",
    "12345678901234567890123, true",
    "1.0, false",
    "1e3, false",
    "1E3, false",
    "1.5e3, false"
  })
  void integer_literal_has_no_fraction_and_no_exponent(String text, boolean expected) {
    assertThat(JsonNumber.of(text).isIntegerLiteral()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0, 0",
    "-0.0, 0",
    "0e99999, 0",
    "0.000e-99999999999, 0",
    "1e3, 1000",
    "1.0, 1",
    "-1.50e1, -15",
    "1000e-3, 1",
    "999999999999999999, 999999999999999999",
    "9007199254740993, 9007199254740993",
    "9007199254740993.0, 9007199254740993",
    "9223372036854775807, 9223372036854775807",
    "-9223372036854775808, -9223372036854775808",
    "9.223372036854775807e18, 9223372036854775807",
    "1e0000000000000000000000003, 1000",
  })
  void integer_is_read_exactly(String text, long expected) {
    assertThat(JsonNumber.of(text).asLong()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9223372036854775808",
        "-9223372036854775809",
        "1e19",
        "1e20",
        "1e308",
        "0.5",
        "-0.1",
        "1.5",
        "1e-3",
        "1e-999999999",
        "-1e-99999999999",
        "5e-324",
        "4.9e-325",
        "1.00000000000000000000000001",
        "9007199254740993.5"
      })
  void number_outside_of_long_is_refused(String text) {
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> JsonNumber.of(text).asLong());
  }

  @ParameterizedTest
  @CsvSource({"0.1, 0.1", "1e-400, 0.0", "9007199254740993, 9007199254740992", "-0, -0.0"})
  void double_is_the_nearest(String text, double expected) {
    assertThat(JsonNumber.of(text).asDouble()).isEqualTo(expected);
  }
}
