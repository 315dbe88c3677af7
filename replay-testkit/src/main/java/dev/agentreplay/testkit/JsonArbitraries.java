package dev.agentreplay.testkit;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.domains.DomainContextBase;

/** Generators of JSON values for property-based tests (jqwik). */
public class JsonArbitraries extends DomainContextBase {

  @Provide
  public Arbitrary<JsonValue> values() {
    return value(2);
  }

  @Provide
  public Arbitrary<JsonObject> objects() {
    return object(1);
  }

  @Provide
  public static Arbitrary<String> texts() {
    Arbitrary<Integer> codePoints = Arbitraries.frequencyOf(
        Tuple.of(4, Arbitraries.integers().between('a', 'e')),
        Tuple.of(2, Arbitraries.integers().between(0, 0x7f)),
        Tuple.of(1, Arbitraries.of((int) '"', (int) '\\', (int) '/', 0x7f, 0x80, 0x7ff, 0x800)),
        Tuple.of(1, Arbitraries.of(0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff, 0x1f602)),
        Tuple.of(2, Arbitraries.integers().between(0, 0x10ffff)));
    return codePoints
        .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
        .list()
        .ofMaxSize(8)
        .map(points -> {
          StringBuilder text = new StringBuilder();
          points.forEach(text::appendCodePoint);
          return text.toString();
        });
  }

  @Provide
  public static Arbitrary<JsonNumber> numbers() {
    Arbitrary<String> texts = Arbitraries.oneOf(
        Arbitraries.integers().between(-20, 20).map(String::valueOf),
        Arbitraries.longs().map(String::valueOf),
        Arbitraries.bigIntegers().map(String::valueOf),
        Arbitraries.of(
            "-0",
            "-0.0",
            "0e5",
            "1e3",
            "1E+3",
            "1.50",
            "5e-324",
            "1e-400",
            "1e308",
            "18446744073709551615",
            "18446744073709551616",
            "-9223372036854775809"),
        atEdges(),
        Combinators.combine(Arbitraries.longs(), Arbitraries.integers().between(-330, 280))
            .as((digits, exponent) -> digits + "e" + exponent));
    Arbitrary<JsonNumber> doubles = Arbitraries.doubles().map(JsonNumber::of);
    return Arbitraries.oneOf(texts.map(JsonNumber::of), doubles);
  }

  /** Numbers at which a canonicalization switches between number formats. */
  public static Arbitrary<String> atEdges() {
    return Arbitraries.of(
        "0",
        "1",
        "-7",
        "0.5",
        "-1.25",
        "0.1",
        "123.456",
        "0.0001",
        "1.5e-9",
        "1e-7",
        "-1e-300",
        "1.0",
        "-1.0",
        "100.0",
        "0.0",
        "-0.0",
        "-0",
        "0e0",
        "-0e9",
        "1e2",
        "0.001",
        "1e-4",
        "0.00001",
        "1e-5",
        "1.5e-5",
        "0.000001",
        "1e-6",
        "1.25e-6",
        "9.99e-6",
        "9.999999999999999e-6",
        "0.0000001",
        "1.5e-7",
        "9.9e-7",
        "999999999999999",
        "1000000000000000",
        "999999999999999.5",
        "999999999999999.9",
        "1e15",
        "1e16",
        "1.5e15",
        "123456789012345.67",
        "1234567890123456.7",
        "9999999999999998",
        "9999999999999998.0",
        "1e17",
        "1e20",
        "1.5e20",
        "123456789012345680000.0",
        "1e21",
        "1.5e21",
        "999999999999999900000.0",
        "1e22",
        "1e23",
        "9007199254740990",
        "9007199254740991",
        "9007199254740992",
        "9007199254740993",
        "-9007199254740991",
        "-9007199254740992",
        "9007199254740991.0",
        "9007199254740993.0",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "18446744073709551614",
        "18446744073709551617",
        "100000000000000000000",
        "5e-324",
        "2.2250738585072014e-308",
        "1.7976931348623157e308",
        "1e-400");
  }

  /** Names whose order differs between canonicalizations, or that are very similar. */
  public static Arbitrary<String> names() {
    Arbitrary<String> parts = Arbitraries.of(
        "",
        "a",
        "ab",
        "b",
        "B",
        "\u00e9",
        "\n",
        "\"",
        "\\",
        "\u001f",
        " ",
        "!",
        "\u007f",
        "\ud7ff",
        "\ue000",
        "\ufb33",
        "\uffff",
        "\ud800\udc00",
        "\ud83d\ude02",
        "\udbff\udfff");
    return parts.list().ofMaxSize(3).map(list -> String.join("", list));
  }

  /** Nested values whose text is often, but not always, the same in all canonicalizations. */
  public static Arbitrary<JsonValue> alike(int depth) {
    Arbitrary<JsonValue> scalars = Arbitraries.frequencyOf(
        Tuple.of(3, Arbitraries.of(JsonBoolean.TRUE, JsonNull.NULL, JsonNumber.of(7))),
        Tuple.of(2, Arbitraries.of("0.5", "1.5e-9", "-12").map(JsonNumber::of)),
        Tuple.of(2, names().map(JsonString::of)),
        Tuple.of(1, atEdges().map(JsonNumber::of)));
    if (depth == 0) {
      return scalars;
    }
    Arbitrary<JsonValue> arrays = alike(depth - 1).list().ofMaxSize(3).map(JsonArray::copyOf);
    Arbitrary<JsonValue> objects = Arbitraries.maps(names(), alike(depth - 1))
        .ofMaxSize(4)
        .map(members -> {
          JsonObject.Builder builder = JsonObject.builder();
          members.forEach(builder::add);
          return builder.build();
        });
    return Arbitraries.frequencyOf(Tuple.of(1, scalars), Tuple.of(1, arrays), Tuple.of(3, objects));
  }

  private static Arbitrary<JsonValue> value(int depth) {
    Arbitrary<JsonValue> scalars = Arbitraries.oneOf(
        texts().map(JsonString::of),
        numbers(),
        Arbitraries.of(JsonBoolean.TRUE, JsonBoolean.FALSE, JsonNull.NULL));
    if (depth == 0) {
      return scalars;
    }
    Arbitrary<JsonValue> arrays = value(depth - 1).list().ofMaxSize(4).map(JsonArray::copyOf);
    return Arbitraries.frequencyOf(
        Tuple.of(2, scalars), Tuple.of(1, arrays), Tuple.of(2, object(depth - 1)));
  }

  private static Arbitrary<JsonObject> object(int depth) {
    return Arbitraries.maps(Arbitraries.oneOf(texts(), names()), value(depth))
        .ofMaxSize(depth == 0 ? 11 : 5)
        .map(members -> {
          JsonObject.Builder builder = JsonObject.builder();
          members.forEach(builder::add);
          return builder.build();
        });
  }
}
