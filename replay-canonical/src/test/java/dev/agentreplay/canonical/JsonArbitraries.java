package dev.agentreplay.canonical;

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

/** Generates JSON values of every shape. */
class JsonArbitraries extends DomainContextBase {

  @Provide
  Arbitrary<JsonValue> values() {
    return value(2);
  }

  @Provide
  Arbitrary<JsonObject> objects() {
    return object(1);
  }

  @Provide
  static Arbitrary<String> texts() {
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

  private static Arbitrary<JsonNumber> numbers() {
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
        Combinators.combine(Arbitraries.longs(), Arbitraries.integers().between(-330, 280))
            .as((digits, exponent) -> digits + "e" + exponent));
    Arbitrary<JsonNumber> doubles = Arbitraries.doubles().map(JsonNumber::of);
    return Arbitraries.oneOf(texts.map(JsonNumber::of), doubles);
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
    return Arbitraries.maps(texts(), value(depth))
        .ofMaxSize(depth == 0 ? 11 : 5)
        .map(members -> {
          JsonObject.Builder builder = JsonObject.builder();
          members.forEach(builder::add);
          return builder.build();
        });
  }
}
