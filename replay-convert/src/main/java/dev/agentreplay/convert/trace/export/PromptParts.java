package dev.agentreplay.convert.trace.export;

import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The prompt of a model call in full.
 *
 * @param system the system prompt; null if there is none
 * @param messages the messages, each in the form of its provider
 * @param tools the descriptions of tools in the context; null if there are none
 * @param more the other members of the prompt, and of its context
 */
record PromptParts(
    @Nullable JsonValue system,
    List<JsonValue> messages,
    @Nullable JsonArray tools,
    JsonObject more) {

  private static final PromptParts NONE = new PromptParts(null, List.of(), null, JsonObject.EMPTY);

  /** Reads the prompt of a call; an empty one if it is not recorded. */
  static PromptParts of(ExportedEvent call) {
    JsonValue value = call.value();
    if (value == null) {
      return NONE;
    }
    if (!(value instanceof JsonObject prompt)) {
      List<JsonValue> messages = value instanceof JsonArray array ? array.values() : List.of(value);
      return new PromptParts(null, messages, null, JsonObject.EMPTY);
    }
    JsonObject more = prompt;
    JsonValue system = prompt.get("system");
    more = more.without("system");
    List<JsonValue> messages = List.of();
    if (prompt.get("messages") instanceof JsonArray array) {
      messages = array.values();
      more = more.without("messages");
    }
    JsonArray tools = null;
    if (prompt.get("context") instanceof JsonObject context
        && context.get("tools") instanceof JsonArray array) {
      tools = array;
      JsonObject rest = context.without("tools");
      more = rest.isEmpty() ? more.without("context") : more.with("context", rest);
    }
    return new PromptParts(system, messages, tools, more);
  }

  /** States that the prompt of a call is in the result in another form. */
  static void transform(ExportedEvent call, String to) {
    if (call.value() != null) {
      call.record().transform(to, "prompt");
      call.record().transform(to, Names.PROMPT_DELTA);
    }
  }
}
