package dev.agentreplay.canonical;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.function.UnaryOperator;

/** Replaces the numbers of values. */
final class NumberMapping {

  private NumberMapping() {}

  /** A value in which the numbers that are not integer literals are replaced. */
  static JsonValue map(JsonValue value, UnaryOperator<JsonNumber> mapping) {
    if (value instanceof JsonNumber number) {
      return number.isIntegerLiteral() ? number : mapping.apply(number);
    }
    if (value instanceof JsonArray array) {
      return JsonArray.copyOf(
          array.stream().map(element -> map(element, mapping)).toList());
    }
    if (value instanceof JsonObject object) {
      JsonObject.Builder builder = JsonObject.builder();
      object.forEach((name, member) -> builder.add(name, map(member, mapping)));
      return builder.build();
    }
    return value;
  }
}
