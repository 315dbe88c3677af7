package dev.agentreplay.model.json;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The double of a number is the one that the JDK reads, bit by bit. */
class JsonNumberDoubleTest {

  @Property(tries = 20_000)
  void number_has_the_double_that_the_jdk_reads(@ForAll("numbers") String text) {
    JsonNumber number = JsonNumber.of(text);
    assertSameDouble(number, text);
    assertSameDouble(number, text);
  }

  @Example
  void number_at_the_edge_has_the_double_that_the_jdk_reads() {
    for (String text : new String[] {
      "0",
      "-0",
      "0.0",
      "-0.0",
      "0.1",
      "-0.9",
      "0e0",
      "-0E+5",
      "1e-300",
      "1E15",
      "999999999999999",
      "-99999999999999",
      "0.0000000000001",
      "9.9999999999999",
      "1234567890123.4",
      "12345678901234.5",
      "9007199254740993",
      "0.20000000298023224"
    }) {
      assertSameDouble(JsonNumber.of(text), text);
    }
  }

  @Provide
  Arbitrary<String> numbers() {
    Arbitrary<String> whole =
        Arbitraries.longs().map(String::valueOf).map(text -> text.substring(0, cut(text, 17)));
    Arbitrary<String> fraction = Arbitraries.strings().numeric().ofMinLength(1).ofMaxLength(17);
    Arbitrary<String> exponent = Arbitraries.integers().between(-330, 280).map(e -> "e" + e);
    return Combinators.combine(
            whole.filter(text -> !text.equals("-")),
            fraction.map(digits -> "." + digits).injectNull(0.3),
            exponent.injectNull(0.9))
        .as((integer, decimals, power) ->
            integer + (decimals == null ? "" : decimals) + (power == null ? "" : power));
  }

  /** Short integers are as likely as long ones. */
  private static int cut(String text, int most) {
    return Math.min(text.length(), 2 + Math.floorMod(text.hashCode(), most));
  }

  private static void assertSameDouble(JsonNumber number, String text) {
    assertThat(Double.doubleToRawLongBits(number.asDouble()))
        .as(text)
        .isEqualTo(Double.doubleToRawLongBits(Double.parseDouble(text)));
  }
}
