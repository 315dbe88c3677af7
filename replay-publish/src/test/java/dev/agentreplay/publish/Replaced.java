package dev.agentreplay.publish;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** Copies of JSON values with a different value at one place. */
final class Replaced {

  private Replaced() {}

  static JsonValue at(JsonValue root, JsonPointer place, JsonValue value) {
    return at(root, place.tokens(), value);
  }

  private static JsonValue at(JsonValue root, List<String> tokens, JsonValue value) {
    if (tokens.isEmpty()) {
      return value;
    }
    List<String> rest = tokens.subList(1, tokens.size());
    if (root instanceof JsonArray array) {
      List<JsonValue> elements = new ArrayList<>(array.values());
      int index = Integer.parseInt(tokens.get(0));
      elements.set(index, at(elements.get(index), rest, value));
      return JsonArray.copyOf(elements);
    }
    JsonObject object = root.asObject();
    return object.with(tokens.get(0), at(object.get(tokens.get(0)), rest, value));
  }
}
