package dev.agentreplay.engine.lines;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Values in place of members without which a line is not an event of its kind, such as the id of a
 * call. They are the same in all lines, so that they make no difference.
 */
final class Substitutes {

  private final Map<String, JsonValue> values = new HashMap<>();

  /** Adds a substitute for a member. */
  void add(String name, JsonValue value) {
    values.putIfAbsent(name, of(value));
  }

  private static JsonValue of(JsonValue value) {
    if (value instanceof JsonString) {
      return JsonString.of("withheld");
    } else if (value instanceof JsonNumber) {
      return JsonNumber.of(0);
    } else if (value instanceof JsonObject) {
      return JsonObject.EMPTY;
    }
    return value instanceof JsonArray ? JsonArray.EMPTY : value;
  }

  /**
   * Returns a line with the substitutes that it requires.
   *
   * @param names the names of members in the dialect of the line, where they differ
   * @param required the names of the members that it requires
   */
  JsonObject addTo(JsonObject line, Map<String, String> names, Set<String> required) {
    JsonObject complete = line;
    for (Map.Entry<String, JsonValue> entry : values.entrySet()) {
      String name = names.getOrDefault(entry.getKey(), entry.getKey());
      if (required.contains(name) && !complete.has(name)) {
        complete = complete.with(name, entry.getValue());
      }
    }
    return complete;
  }
}
