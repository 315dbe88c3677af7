package dev.agentreplay.model.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

class JsonNumberPropertiesTest {

  /** RFC 8259 section 6. */
  private static final Pattern NUMBER =
      Pattern.compile("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?");

  @Property(tries = 20_000)
  void accepts_what_the_grammar_accepts(@ForAll("almostNumbers") String text) {
    if (!NUMBER.matcher(text).matches()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> JsonNumber.of(text))
          .withMessageStartingWith("not a JSON number");
    } else if (Double.isInfinite(Double.parseDouble(text))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> JsonNumber.of(text))
          .withMessageStartingWith("number is beyond the range");
    } else {
      assertThat(JsonNumber.of(text).text()).isEqualTo(text);
    }
  }

  @Property(tries = 3_000)
  void long_is_what_big_decimal_says(@ForAll("shortNumbers") String text) {
    Long expected;
    try {
      expected = new BigDecimal(text).longValueExact();
    } catch (ArithmeticException notALong) {
      expected = null;
    }
    Long actual;
    try {
      actual = JsonNumber.of(text).asLong();
    } catch (ArithmeticException notALong) {
      actual = null;
    }
    assertThat(actual).isEqualTo(expected);
  }

  @Property
  void every_long_survives(@ForAll long value) {
    assertThat(JsonNumber.of(value).asLong()).isEqualTo(value);
    assertThat(JsonNumber.of(value + ".0").asLong()).isEqualTo(value);
  }

  @Property
  void every_finite_double_survives(@ForAll double value) {
    assertThat(JsonNumber.of(value).asDouble()).isEqualTo(value);
  }

  /** Pieces of numbers in any order, so that about a third are numbers. */
  @Provide
  Arbitrary<String> almostNumbers() {
    Arbitrary<String> pieces = Arbitraries.of(
        "-", "+", "0", "7", "10", "308", "309", ".", ".0", "e", "E", "e-", "e+", "x");
    Arbitrary<String> anyOrder = pieces.list().ofMaxSize(5).map(list -> String.join("", list));
    return Arbitraries.frequencyOf(Tuple.of(2, anyOrder), Tuple.of(1, shortNumbers()));
  }

  @Provide
  Arbitrary<String> shortNumbers() {
    Arbitrary<String> digits = Arbitraries.strings().numeric().ofMinLength(1).ofMaxLength(20);
    Arbitrary<String> integers = digits.map(s -> s.length() > 1 && s.startsWith("0") ? "1" + s : s);
    Arbitrary<String> fractions =
        Arbitraries.oneOf(Arbitraries.just(""), digits.map(s -> "." + s), Arbitraries.just(".000"));
    Arbitrary<String> exponents = Arbitraries.oneOf(
        Arbitraries.just(""), Arbitraries.integers().between(-25, 25).map(e -> "e" + e));
    return Combinators.combine(Arbitraries.of("", "-"), integers, fractions, exponents)
        .as((sign, integer, fraction, exponent) -> sign + integer + fraction + exponent);
  }
}
