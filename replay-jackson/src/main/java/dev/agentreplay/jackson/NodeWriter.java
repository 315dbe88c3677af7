package dev.agentreplay.jackson;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Converts values to Jackson trees. The recursion is bounded by the maximum depth of a value. */
final class NodeWriter {

  private NodeWriter() {}

  static JsonNode node(JsonValue value) {
    if (value instanceof JsonObject object) {
      ObjectNode node = JsonNodeFactory.instance.objectNode();
      object.forEach((name, member) -> node.set(name, node(member)));
      return node;
    }
    if (value instanceof JsonArray array) {
      ArrayNode node = JsonNodeFactory.instance.arrayNode(array.size());
      array.forEach(element -> node.add(node(element)));
      return node;
    }
    if (value instanceof JsonString string) {
      return TextNode.valueOf(string.value());
    }
    if (value instanceof JsonNumber number) {
      return number(number);
    }
    if (value instanceof JsonBoolean bool) {
      return BooleanNode.valueOf(bool.value());
    }
    return NullNode.getInstance();
  }

  private static JsonNode number(JsonNumber number) {
    Number exact = ExactNumber.of(number);
    if (exact instanceof Integer integer) {
      return IntNode.valueOf(integer);
    }
    if (exact instanceof Long integer) {
      return LongNode.valueOf(integer);
    }
    if (exact instanceof BigInteger integer) {
      return BigIntegerNode.valueOf(integer);
    }
    if (exact instanceof BigDecimal decimal) {
      return DecimalNode.valueOf(decimal);
    }
    return DoubleNode.valueOf(exact.doubleValue());
  }
}
