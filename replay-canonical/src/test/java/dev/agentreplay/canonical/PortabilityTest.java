package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.JsonArbitraries;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/** A form is portable if all canonicalizations have its bytes, and no integer is unsafe. */
class PortabilityTest {

  @Property(tries = 3_000, edgeCases = EdgeCasesMode.NONE)
  void form_is_portable_exactly_if_all_forms_are_the_same(
      @ForAll("documents") JsonValue value, @ForAll Random random) {
    boolean portable = check(value, utf8(NoisyJson.print(value, random)));

    Statistics.collect(portable);
    Statistics.coverage(coverage -> {
      coverage.check(true).percentage(percentage -> percentage > 15);
      coverage.check(false).percentage(percentage -> percentage > 15);
    });
  }

  @Property(tries = 3_000, edgeCases = EdgeCasesMode.NONE)
  void number_is_portable_exactly_if_all_forms_are_the_same(@ForAll("numbers") String number) {
    check(JsonNumber.of(number), utf8(number));
  }

  @Example
  void two_names_are_portable_exactly_if_all_forms_are_the_same() {
    String[] names = {
      "",
      "a",
      "\u007f",
      "\u0080",
      "\u07ff",
      "\u0800",
      "\ud7ff",
      "\ue000",
      "\uefff",
      "\uf000",
      "\uffff",
      "\ud800\udc00",
      "\ud83d\ude02",
      "\udbff\udfff"
    };
    for (String prefix : new String[] {"", "a", "\n", "\ue000", "\ud83d\ude02"}) {
      for (String left : names) {
        for (String right : names) {
          if (!left.equals(right)) {
            JsonValue value = JsonText.parse("[{%s:0,%s:1}]"
                .formatted(JsonValue.of(prefix + left), JsonValue.of(prefix + right)));
            check(value, utf8(value.toString()));
            check(value, utf8(value.toString().replace("\ue000", "\\ue000")));
          }
        }
      }
    }
  }

  @Example
  void names_of_many_members_are_portable_exactly_if_all_forms_are_the_same() {
    Random random = new Random(24);
    for (int count = 2; count <= 60; count++) {
      for (String[] pair : new String[][] {
        {"\ue000", "\ud83d\ude02"}, {"\ud7ff", "\ud83d\ude02"}, {"\ue000", "\uffff"}
      }) {
        StringBuilder text = new StringBuilder("{");
        int first = random.nextInt(count);
        int second = random.nextInt(count);
        for (int i = 0; i < count; i++) {
          String name = i == first ? pair[0] : i == second ? pair[1] : "n" + random.nextInt(9) + i;
          text.append(i == 0 ? "\"" : ",\"").append(name).append("\":0");
        }
        text.append('}');
        check(JsonText.parse(text.toString()), utf8(text.toString()));
      }
    }
  }

  @Example
  void examples_are_as_the_documentation_says() {
    for (String text : new String[] {
      "1",
      "0",
      "9007199254740991",
      "-9007199254740991",
      "0.5",
      "1e-7",
      "{\"\ud83d\ude02\":1,\"a\":2}",
      "{\"\ue000\":1,\"a\":2}",
      "[]",
      "\"\ud83d\ude02\"",
      "[{\"\ue000\":1},{\"\ud83d\ude02\":1}]",
      "0.00001",
      "123456789012345.67"
    }) {
      assertThat(check(JsonText.parse(text), utf8(text))).as(text).isTrue();
    }
    for (String text : new String[] {
      "1.0",
      "-0",
      "-0.0",
      "0.0",
      "1e15",
      "1e16",
      "1e21",
      "1e-6",
      "1.5e-6",
      "9007199254740992",
      "-9007199254740992",
      "18446744073709551616",
      "{\"\ue000\":1,\"\ud83d\ude02\":2}",
      "[[{\"\ud83d\ude02\":1,\"b\":0,\"\\uffff\":2}]]",
      "{\"a\":{\"\ue000\":1,\"\ud83d\ude02\":2},\"b\":0}"
    }) {
      assertThat(check(JsonText.parse(text), utf8(text))).as(text).isFalse();
    }
  }

  @Example
  void what_was_not_portable_does_not_make_the_next_form_so() {
    for (String before :
        new String[] {"1.0", "{\"\ue000\":1,\"\ud83d\ude02\":2}", "[1.0,", "1e16 x"}) {
      for (CanonicalJson json : Outcome.PROFILES) {
        try {
          assertThat(json.form(utf8(before)).isPortable()).isFalse();
        } catch (JsonSyntaxException refused) {
          assertThat(before).matches(".*[,x]");
        }
        assertThat(json.form(utf8("{\"b\":1,\"a\":0.5}")).isPortable()).isTrue();
        assertThat(json.form(JsonText.parse("{\"b\":1,\"a\":0.5}")).isPortable())
            .isTrue();
      }
    }
  }

  /** Holds every answer against the bytes; returns whether the value is portable. */
  private static boolean check(JsonValue value, byte[] text) {
    byte[] serde = CanonicalJson.SERDE.bytes(value);
    byte[] jcs = null;
    try {
      jcs = CanonicalJson.JCS.bytes(value);
    } catch (IllegalArgumentException wouldRound) {
      assertThat(wouldRound).hasMessageContaining("would change the digits");
    }
    boolean portable = Arrays.equals(serde, CanonicalJson.SERDE_RYU.bytes(value))
        && Arrays.equals(serde, jcs)
        && !hasUnsafeInteger(value);
    for (CanonicalJson json : Outcome.PROFILES) {
      Outcome outcome = Outcome.of(json, text);
      if (!outcome.isRefused() && outcome.form().isPortable() != portable) {
        throw new AssertionError("%s: %s is %sportable"
            .formatted(json.canonicalization(), outcome.text(), portable ? "" : "not "));
      }
    }
    return portable;
  }

  /** Whether a reader with doubles only may round an integer of it, whatever it comes out as. */
  private static boolean hasUnsafeInteger(JsonValue value) {
    if (value instanceof JsonNumber number) {
      return number.isIntegerLiteral() && new BigInteger(number.text()).abs().bitLength() > 53;
    }
    if (value instanceof JsonArray array) {
      return array.stream().anyMatch(PortabilityTest::hasUnsafeInteger);
    }
    return value instanceof JsonObject object
        && IntStream.range(0, object.size()).anyMatch(i -> hasUnsafeInteger(object.value(i)));
  }

  @Provide
  Arbitrary<JsonValue> documents() {
    return JsonArbitraries.alike(3);
  }

  @Provide
  Arbitrary<String> numbers() {
    return Arbitraries.oneOf(
        JsonArbitraries.atEdges(),
        Combinators.combine(
                Arbitraries.longs().between(-99_999, 99_999),
                Arbitraries.integers().between(-12, 22))
            .as((digits, exponent) -> digits + "e" + exponent),
        Combinators.combine(Arbitraries.longs(), Arbitraries.integers().between(-30, 10))
            .as((digits, exponent) -> digits + "e" + exponent),
        Arbitraries.longs()
            .between(9_007_199_254_740_980L, 9_007_199_254_741_000L)
            .map(String::valueOf),
        Arbitraries.longs().map(String::valueOf));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
