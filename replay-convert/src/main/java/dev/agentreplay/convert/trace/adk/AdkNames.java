package dev.agentreplay.convert.trace.adk;

import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The names of members, which the kit writes in snake case or camel case. */
final class AdkNames {

  private AdkNames() {}

  /** The value of a member; null if it is missing. */
  static @Nullable JsonValue get(JsonObject object, String snake) {
    return object.get(in(object, snake));
  }

  /** The value of a member that is an object; empty if it is missing or is none. */
  static JsonObject object(JsonObject object, String snake) {
    return get(object, snake) instanceof JsonObject member ? member : JsonObject.EMPTY;
  }

  /** The name of a member as an object has it; in snake case if it has neither. */
  static String in(JsonObject object, String snake) {
    return object.has(snake) || !object.has(camel(snake)) ? snake : camel(snake);
  }

  /** A path in a record, with the names that it has. */
  static String[] path(SourceRecord record, String... snake) {
    String[] path = new String[snake.length];
    JsonObject object = record.json();
    for (int i = 0; i < snake.length; i++) {
      path[i] = in(object, snake[i]);
      object = object.get(path[i]) instanceof JsonObject member ? member : JsonObject.EMPTY;
    }
    return path;
  }

  private static String camel(String snake) {
    StringBuilder camel = new StringBuilder();
    for (String word : snake.split("_", -1)) {
      camel.append(
          camel.isEmpty() || word.isEmpty()
              ? word
              : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
    }
    return camel.toString();
  }
}
