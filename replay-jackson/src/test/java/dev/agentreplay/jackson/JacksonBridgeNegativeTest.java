package dev.agentreplay.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class JacksonBridgeNegativeTest {

  private static final JacksonBridge JACKSON = JacksonBridge.defaults();
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  record Point(int x, int y) {}

  record Named(String name, Object inner) {}

  static final class Self {
    public Self getSelf() {
      return this;
    }
  }

  static final class Opaque {}

  static final class Failing {
    public int getValue() {
      throw new UnsupportedOperationException("no value");
    }
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of(MissingNode.getInstance(), "the node is missing"),
        Arguments.of(in(MissingNode.getInstance()), "the node is missing, at /a~1b/1"),
        Arguments.of(NODES.numberNode(Double.NaN), "JSON has no number for NaN"),
        Arguments.of(in(NODES.numberNode(Double.NaN)), "JSON has no number for NaN, at /a~1b/1"),
        Arguments.of(
            in(NODES.numberNode(Double.POSITIVE_INFINITY)),
            "JSON has no number for Infinity, at /a~1b/1"),
        Arguments.of(
            in(NODES.numberNode(Float.NEGATIVE_INFINITY)),
            "JSON has no number for -Infinity, at /a~1b/1"),
        Arguments.of(
            in(NODES.numberNode(BigInteger.TEN.pow(400))),
            "number is beyond the range of a double: 1" + "0".repeat(59) + "..., at /a~1b/1"),
        Arguments.of(
            in(NODES.numberNode(new BigDecimal("1e400"))),
            "number is beyond the range of a double: 1E+400, at /a~1b/1"),
        Arguments.of(
            in(NODES.textNode("x\ud800")),
            "text has a lone surrogate U+D800 at index 1, at /a~1b/1"),
        Arguments.of(
            in(NODES.objectNode().put("\udc00", 1)),
            "text has a lone surrogate U+DC00 at index 0, at /a~1b/1/?"),
        Arguments.of(in(NODES.pojoNode(new Opaque())), "No serializer found for class .*"),
        Arguments.of(
            in(NODES.pojoNode(List.of(Double.NaN))),
            "JSON has no number for NaN, at /0, at /a~1b/1"),
        Arguments.of(
            in(NODES.rawValueNode(new RawValue("{,}"))), "expected .* at byte 1, at /a~1b/1"),
        Arguments.of(Map.of("a", List.of(Double.NaN)), "JSON has no number for NaN, at /a/0"),
        Arguments.of(
            new Named("\ud800", null), "text has a lone surrogate U+D800 at index 0, at /name"),
        Arguments.of(new Failing(), "no value .*"));
  }

  private static JsonNode in(JsonNode node) {
    ObjectNode object = NODES.objectNode();
    object.putArray("a/b").add(0).add(node);
    return object;
  }

  @ParameterizedTest
  @MethodSource("refused")
  void object_without_a_json_form_is_refused_with_its_place(Object object, String message) {
    String pattern = message.contains(".*") ? message : Pattern.quote(message);
    assertThatThrownBy(() -> JACKSON.toValue(object))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("(?s)" + pattern);
  }

  @Test
  void what_is_nested_as_deep_as_a_value_may_be_is_converted_and_one_more_is_refused() {
    JsonNode deepest = nested(JsonValue.MAX_DEPTH);

    JsonValue value = JACKSON.toValue(deepest);

    assertThat(value.depth()).isEqualTo(JsonValue.MAX_DEPTH);
    assertThat(JACKSON.toNode(value).equals(deepest)).isTrue();
    assertThat(JACKSON.toValue(List.of(nested(JsonValue.MAX_DEPTH - 1)))).isEqualTo(value);
    assertTooDeep(nested(JsonValue.MAX_DEPTH + 1));
    assertTooDeep(List.of(deepest));
    assertTooDeep(NODES.arrayNode().addPOJO(value));
    assertTooDeep(NODES.arrayNode().addPOJO(deepest));
  }

  @Test
  void deep_tree_does_not_overflow_the_stack() {
    JsonNode tree = nested(100_000);

    assertTooDeep(tree);
    assertTooDeep(Map.of("a", tree));
    assertTooDeep(NODES.objectNode().putPOJO("a", tree));
    assertTooDeep(NODES.objectNode().putPOJO("a", List.of(tree)));
  }

  @Test
  void object_that_holds_itself_does_not_overflow_the_stack() {
    List<Object> list = new ArrayList<>();
    list.add(list);
    ObjectNode node = NODES.objectNode();
    node.putPOJO("a", node);

    assertTooDeep(list);
    assertTooDeep(Map.of("a", list));
    assertTooDeep(node);
    assertThatThrownBy(() -> JACKSON.toValue(new Self()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("self-reference");
  }

  @Test
  void number_that_jackson_cannot_hold_is_refused() {
    assertThatThrownBy(() -> JACKSON.toNode(JsonText.parse("[1e-2147483648]")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("exponent is beyond the range of a BigDecimal: 1e-2147483648");
    assertThatThrownBy(() -> JACKSON.toNode(JsonNumber.of("0e99999999999999999999")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void value_that_the_class_does_not_fit_is_refused() {
    assertThatThrownBy(() -> JACKSON.toObject(JsonObject.of("x", "left"), Point.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("left")
        .hasCauseInstanceOf(MismatchedInputException.class);
    assertThatThrownBy(() -> JACKSON.toObject(JsonObject.of("x", 1, "z", 2), Point.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"z\"");
  }

  @Test
  void null_is_never_an_object_of_the_class() {
    assertThatThrownBy(() -> JACKSON.toObject(JsonNull.NULL, Point.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("null is read as null: " + Point.class.getTypeName());
  }

  @Test
  void mapper_that_cannot_be_copied_is_refused() {
    ObjectMapper mapper = new ObjectMapper() {
      private static final long serialVersionUID = 1L;
    };
    assertThatThrownBy(() -> JacksonBridge.of(mapper)).isInstanceOf(IllegalStateException.class);
  }

  private static void assertTooDeep(Object object) {
    assertThatThrownBy(() -> JACKSON.toValue(object))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .startsWith("nested deeper than 1000")
        .hasSizeLessThan(10_000);
  }

  private static JsonNode nested(int depth) {
    ArrayNode outermost = NODES.arrayNode();
    ArrayNode innermost = outermost;
    for (int i = 1; i < depth; i++) {
      innermost = innermost.addArray();
    }
    return outermost;
  }
}
