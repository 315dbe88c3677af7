package dev.agentreplay.convert.trace.export;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A part of a message to or from a model.
 *
 * @param kind the kind of the part
 * @param id the id of the call of a tool; null if there is none
 * @param name the name of the tool; null if there is none
 * @param value the text, the arguments, the result, or the whole part
 * @param more the other members of the part, under their own names
 */
record MessagePart(
    Kind kind, @Nullable String id, @Nullable String name, JsonValue value, JsonObject more) {

  /** The kinds of parts. */
  enum Kind {
    /** A text. */
    TEXT,
    /** The reasoning of the model, as text. */
    REASONING,
    /** The call of a tool. */
    CALL,
    /** The result of a tool. */
    RESULT,
    /** Anything else, such as an image. */
    OTHER
  }

  static MessagePart text(String text) {
    return new MessagePart(Kind.TEXT, null, null, JsonString.of(text), JsonObject.EMPTY);
  }

  boolean is(Kind other) {
    return kind == other;
  }

  /** The value as text: a string as it is, anything else as JSON. */
  String asText() {
    return text(value);
  }

  /** A value as text: a string as it is, anything else as JSON. */
  static String text(JsonValue value) {
    return value instanceof JsonString text ? text.value() : value.toString();
  }

  /** Adds members to an object; those whose names it has already are in an object of their own. */
  static JsonObject with(JsonObject.Builder object, JsonObject more) {
    JsonObject.Builder conflicts = JsonObject.builder();
    more.forEach((name, value) -> {
      if (!object.addIfAbsent(name, value)) {
        conflicts.add(name, value);
      }
    });
    nest(object, conflicts.build());
    return object.build();
  }

  /** Adds members to an object in an object of their own, unless there are none. */
  static void nest(JsonObject.Builder object, JsonObject members) {
    String name = DocumentWriter.KEPT;
    while (!members.isEmpty() && !object.addIfAbsent(name, members)) {
      name += "_";
    }
  }
}
