package dev.agentreplay.convert.trace.export;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/**
 * The messages of an Inspect sample: those of the last prompt of the main agent, and its answer.
 */
final class InspectConversation {

  private InspectConversation() {}

  static JsonArray of(ExportedSession session) {
    Exchange last = null;
    for (Exchange exchange : session.main().exchanges()) {
      if (exchange.isModel() && exchange.begin().value() != null) {
        last = exchange;
      }
    }
    return last == null ? ofCalls(session) : ofPrompt(last);
  }

  private static JsonArray ofPrompt(Exchange exchange) {
    List<JsonValue> messages = new ArrayList<>(InspectMessages.prompt(exchange.begin()));
    if (exchange.end() != null && exchange.end().value() != null) {
      messages.addAll(
          InspectMessages.of(ChatMessage.of(exchange.end().value(), "assistant"), "generate"));
    }
    return JsonArray.copyOf(messages);
  }

  /** The messages of a session without prompts: its task, its calls and their results. */
  private static JsonArray ofCalls(ExportedSession session) {
    List<JsonValue> messages = new ArrayList<>();
    if (session.task() != null) {
      messages.add(JsonObject.of("content", session.task(), "source", "input", "role", "user"));
    }
    for (Exchange exchange : session.main().exchanges()) {
      if (exchange.isTool()) {
        messages.add(JsonObject.of(
            "content",
            "",
            "role",
            "assistant",
            "tool_calls",
            JsonArray.of(InspectMessages.call(
                exchange.tool().id(), exchange.tool().tool(), exchange.begin().value()))));
        if (exchange.end() != null && exchange.end().value() != null) {
          messages.add(JsonObject.of(
              "content", MessagePart.text(exchange.end().value()),
              "role", "tool",
              "tool_call_id", exchange.tool().id(),
              "function", exchange.tool().tool()));
        }
      }
    }
    return JsonArray.copyOf(messages);
  }
}
