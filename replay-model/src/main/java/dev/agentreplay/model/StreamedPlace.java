package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds the text that was streamed in the value that was made of it. */
final class StreamedPlace {

  private StreamedPlace() {}

  /** The place of the first text of a length in code points; null if there is none. */
  static @Nullable JsonPointer ofLength(JsonValue value, long length) {
    return first(value, text -> text.codePointCount(0, text.length()) == length, JsonPointer.ROOT);
  }

  /** The place of the first text that is equal to one; null if there is none. */
  static @Nullable JsonPointer of(JsonValue value, String streamed) {
    return first(value, streamed::equals, JsonPointer.ROOT);
  }

  private static @Nullable JsonPointer first(
      JsonValue value, Predicate<String> isFound, JsonPointer place) {
    if (value instanceof JsonString text) {
      return isFound.test(text.value()) ? place : null;
    } else if (value instanceof JsonObject object) {
      for (int i = 0; i < object.size(); i++) {
        JsonPointer found = first(object.value(i), isFound, place.append(object.name(i)));
        if (found != null) {
          return found;
        }
      }
    } else if (value instanceof JsonArray array) {
      for (int i = 0; i < array.size(); i++) {
        JsonPointer found = first(array.get(i), isFound, place.append(i));
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }
}
