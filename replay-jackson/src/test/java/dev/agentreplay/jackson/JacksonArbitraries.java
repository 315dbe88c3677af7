package dev.agentreplay.jackson;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentreplay.model.json.JsonNumber;
import java.math.BigDecimal;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.domains.DomainContextBase;

/** Generates trees of Jackson of every shape, and numbers of many digits. */
class JacksonArbitraries extends DomainContextBase {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  @Provide
  Arbitrary<JsonNode> nodes() {
    return node(2);
  }

  @Provide
  Arbitrary<JsonNumber> numbers() {
    Arbitrary<String> digits = Arbitraries.strings().numeric().ofMinLength(1).ofMaxLength(25);
    Arbitrary<String> texts = Combinators.combine(
            Arbitraries.of("", "-"),
            Arbitraries.oneOf(
                Arbitraries.just("0"),
                Arbitraries.integers().between(1, 20).map(String::valueOf),
                Arbitraries.longs().greaterOrEqual(1).map(String::valueOf),
                digits.map(text -> "1" + text)),
            Arbitraries.oneOf(Arbitraries.just(""), digits.map(text -> "." + text)),
            Arbitraries.oneOf(
                Arbitraries.just(""),
                Arbitraries.integers().between(-400, 270).map(exponent -> "e" + exponent),
                Arbitraries.integers().between(-3, 20).map(exponent -> "E" + exponent)))
        .as((sign, integer, fraction, exponent) -> sign + integer + fraction + exponent);
    return Arbitraries.oneOf(texts.map(JsonNumber::of), Arbitraries.doubles().map(JsonNumber::of));
  }

  private static Arbitrary<String> texts() {
    return Arbitraries.strings().ofMaxLength(6).filter(text -> text.codePoints()
        .noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
  }

  private static Arbitrary<JsonNode> node(int depth) {
    Arbitrary<JsonNode> scalars = Arbitraries.oneOf(
        texts().map(NODES::textNode),
        Arbitraries.integers().map(NODES::numberNode),
        Arbitraries.longs().map(NODES::numberNode),
        Arbitraries.shorts().map(NODES::numberNode),
        Arbitraries.bigIntegers().map(NODES::numberNode),
        Arbitraries.doubles().map(NODES::numberNode),
        Arbitraries.floats().map(NODES::numberNode),
        Combinators.combine(Arbitraries.bigIntegers(), Arbitraries.integers().between(-250, 400))
            .as((digits, scale) -> NODES.numberNode(new BigDecimal(digits, scale))),
        Arbitraries.of(NODES.booleanNode(true), NODES.booleanNode(false), NODES.nullNode()));
    if (depth == 0) {
      return scalars;
    }
    Arbitrary<JsonNode> inner = node(depth - 1);
    return Arbitraries.frequencyOf(
        Tuple.of(2, scalars),
        Tuple.of(1, inner.list().ofMaxSize(4).map(elements -> {
          ArrayNode array = NODES.arrayNode();
          elements.forEach(array::add);
          return array;
        })),
        Tuple.of(2, Arbitraries.maps(texts(), inner).ofMaxSize(5).map(members -> {
          ObjectNode object = NODES.objectNode();
          members.forEach(object::set);
          return object;
        })));
  }
}
