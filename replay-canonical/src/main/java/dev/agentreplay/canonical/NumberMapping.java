package dev.agentreplay.canonical;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Replaces the numbers in values. */
final class NumberMapping {

  private NumberMapping() {}

  /** A copy of a value with each number replaced. */
  static JsonValue map(JsonValue value, UnaryOperator<JsonNumber> mapping) {
    if (value instanceof JsonNumber number) {
      return mapping.apply(number);
    }
    if (value instanceof JsonArray array) { // streams would take much more of the stack
      List<JsonValue> elements = new ArrayList<>();
      for (JsonValue element : array) {
        elements.add(map(element, mapping));
      }
      return JsonArray.copyOf(elements);
    }
    if (value instanceof JsonObject object) {
      JsonObject.Builder builder = JsonObject.builder();
      for (int i = 0; i < object.size(); i++) {
        builder.add(object.name(i), map(object.value(i), mapping));
      }
      return builder.build();
    }
    return value;
  }
}
