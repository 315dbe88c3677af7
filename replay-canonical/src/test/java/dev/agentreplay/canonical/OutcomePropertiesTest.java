package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.JsonArbitraries;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;
import net.jqwik.api.statistics.Statistics;

/** A text and its value have one canonical form, or are refused for one reason. */
@Domain(JsonArbitraries.class)
@Domain(DomainContext.Global.class)
class OutcomePropertiesTest {

  private static final byte[] INSERTED =
      "{}[]\",:0-+.eE\\u/tfn \t\n\u0000\u001f\u007f\u00e9\ue000\ud83d\ude02"
          .getBytes(StandardCharsets.UTF_8);

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void text_has_the_outcome_of_its_value(@ForAll JsonValue value, @ForAll Random random) {
    byte[] text = utf8(NoisyJson.print(value, random));
    for (CanonicalJson json : Outcome.PROFILES) {
      Outcome.of(json, text);
      Outcome.of(json, utf8(value.toString()));
    }
    assertThat(Outcome.refusal(text)).isNull();
  }

  @Property(tries = 2_500, edgeCases = EdgeCasesMode.NONE)
  void damaged_text_has_the_outcome_of_its_value(
      @ForAll("documents") JsonValue value, @ForAll Random random) {
    byte[] text = utf8(NoisyJson.print(value, random));
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      text = damaged(text, random);
    }
    JsonSyntaxException refusal = Outcome.refusal(text);

    Statistics.collect(refusal == null ? "accepted" : refusal.reason());
    Statistics.coverage(coverage -> {
      for (Object reason : new Object[] {
        "accepted",
        JsonSyntaxException.Reason.SYNTAX,
        JsonSyntaxException.Reason.ENCODING,
        JsonSyntaxException.Reason.DUPLICATE_KEY
      }) {
        coverage.check(reason).count(count -> count > 5);
      }
    });
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void place_in_a_larger_array_does_not_matter(@ForAll JsonValue value, @ForAll Random random) {
    byte[] text = utf8(NoisyJson.print(value, random));
    byte[] larger = new byte[random.nextInt(17) + text.length + random.nextInt(17)];
    Arrays.fill(larger, (byte) "x\"0}]\\ ".charAt(random.nextInt(7)));
    int from = random.nextInt(larger.length - text.length + 1);
    System.arraycopy(text, 0, larger, from, text.length);
    for (CanonicalJson json : Outcome.PROFILES) {
      Outcome outcome = Outcome.of(json, text);
      try {
        assertThat(json.hash(larger, from, from + text.length))
            .isEqualTo(outcome.form().hash());
      } catch (JsonSyntaxException refusal) {
        assertThat(refusal).hasMessage(outcome.refusal().getMessage());
      }
    }
  }

  @Property(tries = 5_000)
  void number_is_the_shortest_of_the_double_that_the_jdk_reads(@ForAll("numbers") String text) {
    String shortest = JsonNumber.of(Double.parseDouble(text)).text();
    String expected = shortest;
    if (text.matches("-?[0-9]+") && !text.equals("-0")) {
      BigInteger integer = new BigInteger(text);
      boolean kept = integer.bitLength() < 64 || (integer.signum() > 0 && integer.bitLength() < 65);
      expected = kept ? text : shortest;
    }
    assertThat(Outcome.of(CanonicalJson.SERDE, text).text()).isEqualTo(expected);
    assertThat(Outcome.of(CanonicalJson.SERDE_RYU, text).text())
        .isEqualTo(expected.replace("e+", "e"));
    String ecmascript =
        Outcome.of(CanonicalJson.JCS.withRoundedIntegers(), text).text();
    assertThat(JsonNumber.of(Double.parseDouble(ecmascript)).text())
        .isEqualTo(shortest.equals("-0.0") ? "0.0" : shortest);
    assertThat(Outcome.of(CanonicalJson.JCS.withRoundedIntegers(), shortest).text())
        .isEqualTo(ecmascript);
  }

  @Example
  void integers_around_each_limit_are_kept_or_not() {
    for (int bits : new int[] {49, 50, 52, 53, 54, 62, 63, 64, 65}) {
      for (int step = -3; step <= 3; step++) {
        for (int sign = -1; sign <= 1; sign += 2) {
          BigInteger integer = BigInteger.ONE
              .shiftLeft(bits)
              .add(BigInteger.valueOf(step))
              .multiply(BigInteger.valueOf(sign));
          number_is_the_shortest_of_the_double_that_the_jdk_reads(integer.toString());
          boolean safe = integer.abs().bitLength() <= 53
              || Outcome.of(CanonicalJson.JCS.withRoundedIntegers(), integer.toString())
                  .text()
                  .equals(integer.toString());
          Outcome jcs = Outcome.of(CanonicalJson.JCS, integer.toString());
          assertThat(jcs.summary()).isEqualTo(safe ? integer.toString() : "NUMBER_RANGE at 0");
        }
      }
    }
  }

  @Provide
  Arbitrary<JsonValue> documents() {
    return JsonArbitraries.alike(2);
  }

  @Provide
  Arbitrary<String> numbers() {
    Arbitrary<String> digits = Arbitraries.integers()
        .between(1, 40)
        .flatMap(length -> Arbitraries.strings().numeric().ofLength(length));
    Arbitrary<String> integers = digits.map(text -> text.replaceFirst("^0+(?=.)", ""));
    Arbitrary<String> fractions = Arbitraries.oneOf(
        digits.map(text -> "." + text),
        digits.map(text -> ".00000" + text),
        digits.map(text -> "." + text + "000000"));
    Arbitrary<String> exponents = Arbitraries.oneOf(
        Arbitraries.integers().between(-345, 260).map(e -> "e" + e),
        Arbitraries.integers().between(-25, 25).map(e -> "E" + e),
        Arbitraries.integers().between(0, 260).map(e -> "e+0" + e));
    Arbitrary<String> signs = Arbitraries.of("", "-");
    return Arbitraries.oneOf(
        JsonArbitraries.atEdges(),
        Combinators.combine(signs, integers).as((s, i) -> s + i),
        Combinators.combine(signs, integers, fractions).as((s, i, f) -> s + i + f),
        Combinators.combine(signs, integers, exponents).as((s, i, e) -> s + i + e),
        Combinators.combine(signs, integers, fractions, exponents)
            .as((s, i, f, e) -> s + i + f + e));
  }

  private static byte[] damaged(byte[] text, Random random) {
    if (random.nextInt(8) == 0) {
      // often a name that is there already
      String member = "{\"" + "ab".charAt(random.nextInt(2)) + "\":1,";
      return new String(text, StandardCharsets.ISO_8859_1)
          .replaceFirst("[{](?=\\s*\")", random.nextBoolean() ? member : "{\"\":1,")
          .getBytes(StandardCharsets.ISO_8859_1);
    }
    int at = random.nextInt(text.length + 1);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(text, 0, at);
    int skipped = 0;
    switch (random.nextInt(6)) {
      case 0 -> out.write(INSERTED[random.nextInt(INSERTED.length)]);
      case 1 -> skipped = 1;
      case 2 -> {
        out.write(INSERTED[random.nextInt(INSERTED.length)]);
        skipped = 1;
      }
      case 3 -> {
        out.write(at < text.length ? text[at] ^ 1 << random.nextInt(8) : '}');
        skipped = 1;
      }
      case 4 -> {
        if (random.nextBoolean()) {
          return out.toByteArray();
        }
        skipped = random.nextInt(6);
      }
      default -> out.write(text, at, random.nextInt(text.length - at + 1));
    }
    int rest = Math.min(text.length, at + skipped);
    out.write(text, rest, text.length - rest);
    return out.size() == 0 ? text : out.toByteArray();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
