package dev.agentreplay.engine.replay.edit;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** Sets a value at a place in a JSON value. */
final class ValueEdit {

  private static final String END = "-";

  private ValueEdit() {}

  /**
   * Returns a value in which a place has a new value: in place of an existing one, as a new member
   * of an object, or at the end of an array (its length, or {@code -}, RFC 6901 section 4).
   *
   * @param at the value that the pointer reaches with its first token, the name of its member
   * @throws IllegalArgumentException if what the place would be in does not exist
   */
  static JsonValue set(JsonValue at, JsonPointer pointer, JsonValue value) {
    return set(at, pointer, 1, value);
  }

  /**
   * Returns a value without a member.
   *
   * @param at the value that the pointer reaches with its first token, the name of its member
   * @throws IllegalArgumentException if it does not exist, or is not a member of an object
   */
  static JsonValue remove(JsonValue at, JsonPointer pointer) {
    List<String> tokens = pointer.tokens();
    int last = tokens.size() - 1;
    JsonValue parent = last < 1 ? null : new JsonPointer(tokens.subList(1, last)).find(at);
    if (!(parent instanceof JsonObject object) || !object.has(tokens.get(last))) {
      throw new IllegalArgumentException("there is no member \"%s\"".formatted(pointer));
    }
    return set(at, new JsonPointer(tokens.subList(0, last)), object.without(tokens.get(last)));
  }

  private static JsonValue set(JsonValue at, JsonPointer pointer, int depth, JsonValue value) {
    List<String> tokens = pointer.tokens();
    if (depth == tokens.size()) {
      return value;
    }
    String token = tokens.get(depth);
    boolean isLast = depth + 1 == tokens.size();
    if (at instanceof JsonObject object) {
      JsonValue member = object.get(token);
      if (isLast) {
        return object.with(token, value);
      } else if (member != null) {
        return object.with(token, set(member, pointer, depth + 1, value));
      }
    } else if (at instanceof JsonArray array) {
      int index = token.equals(END) ? array.size() : JsonPointer.arrayIndex(token);
      if (index >= 0 && (index < array.size() || (index == array.size() && isLast))) {
        List<JsonValue> elements = new ArrayList<>(array.values());
        if (index == array.size()) {
          elements.add(value);
        } else {
          elements.set(index, isLast ? value : set(array.get(index), pointer, depth + 1, value));
        }
        return JsonArray.copyOf(elements);
      }
    }
    throw new IllegalArgumentException("there is no place \"%s\": the %s at \"%s\" has no \"%s\""
        .formatted(pointer, at.typeName(), new JsonPointer(tokens.subList(0, depth)), token));
  }
}
