package dev.agentreplay.convert.trace.export;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Messages in the form of Inspect. */
final class InspectMessages {

  private InspectMessages() {}

  /** The messages of a prompt, the system prompt first. */
  static List<JsonValue> prompt(ExportedEvent call) {
    PromptParts prompt = PromptParts.of(call);
    List<JsonValue> messages = new ArrayList<>();
    if (prompt.system() != null) {
      messages.addAll(of(
          new ChatMessage("system", MessageParser.content(prompt.system()), JsonObject.EMPTY),
          "input"));
    }
    for (JsonValue message : prompt.messages()) {
      messages.addAll(of(ChatMessage.of(message, "user"), "input"));
    }
    return messages;
  }

  /**
   * Returns a message as one or several: each result of a tool is a message of its own.
   *
   * @param source {@code input} or {@code generate}
   */
  static List<JsonValue> of(ChatMessage message, String source) {
    List<JsonValue> messages = new ArrayList<>();
    List<JsonValue> content = new ArrayList<>();
    List<JsonValue> calls = new ArrayList<>();
    for (MessagePart part : message.parts()) {
      switch (part.kind()) {
        case CALL -> calls.add(call(part));
        case RESULT -> messages.add(result(part));
        default -> content.add(content(part));
      }
    }
    boolean isCall = !calls.isEmpty();
    String role = isCall ? "assistant" : role(message.role());
    if (content.isEmpty() && !isCall && !messages.isEmpty() && message.more().isEmpty()) {
      return messages;
    }
    JsonObject.Builder json = JsonObject.builder().put("content", text(message, content));
    if (role.equals("user") || role.equals("assistant")) {
      json.put("source", role.equals("user") ? "input" : source);
    }
    json.put("role", role);
    if (isCall) {
      json.put("tool_calls", JsonArray.copyOf(calls));
    }
    JsonObject more = role.equals(message.role()) || message.more().has("role")
        ? message.more()
        : message.more().with("role", message.role());
    putMetadata(json, more);
    messages.add(json.build());
    return messages;
  }

  /** One text as it is, other content as an array. */
  private static JsonValue text(ChatMessage message, List<JsonValue> content) {
    boolean isText = content.size() == 1
        && message.parts().stream()
            .anyMatch(part -> part.is(MessagePart.Kind.TEXT) && part.more().isEmpty());
    return isText
        ? JsonString.of(message.text())
        : content.isEmpty() ? JsonString.of("") : JsonArray.copyOf(content);
  }

  private static String role(String role) {
    return switch (role) {
      case "system", "developer" -> "system";
      case "assistant", "model" -> "assistant";
      default -> "user";
    };
  }

  private static JsonObject content(MessagePart part) {
    JsonObject.Builder json = JsonObject.builder();
    JsonObject more = part.more();
    switch (part.kind()) {
      case TEXT -> json.put("type", "text").put("text", part.value());
      case REASONING -> {
        json.put("type", "reasoning").put("reasoning", part.value());
        if (part.more().get("signature") instanceof JsonString signature) {
          json.put("signature", signature);
          more = more.without("signature");
        }
      }
      default -> {
        Image image = Image.of(part);
        if (image != null) {
          return JsonObject.of("type", "image", "image", image.url());
        }
        JsonObject data = part.value() instanceof JsonObject object
            ? object
            : JsonObject.of("value", part.value());
        return JsonObject.of("type", "data", "data", data);
      }
    }
    return (more.isEmpty() ? json : json.put("internal", more)).build();
  }

  private static JsonObject call(MessagePart part) {
    JsonObject call =
        call(part.id() == null ? "" : part.id(), String.valueOf(part.name()), part.value());
    return part.more().isEmpty() ? call : call.with("internal", part.more());
  }

  /** The call of a tool; arguments that are not an object are in one. */
  static JsonObject call(String id, String function, @Nullable JsonValue arguments) {
    return JsonObject.of(
        "id", id, "function", function, "arguments", arguments(arguments), "type", "function");
  }

  /** Arguments as an object: those that are not are its member {@code agentreplay}. */
  static JsonObject arguments(@Nullable JsonValue arguments) {
    return arguments instanceof JsonObject object
        ? object
        : arguments == null ? JsonObject.EMPTY : JsonObject.of(DocumentWriter.KEPT, arguments);
  }

  private static JsonObject result(MessagePart part) {
    JsonObject.Builder json =
        JsonObject.builder().put("content", MessagePart.text(part.value())).put("role", "tool");
    if (part.id() != null) {
      json.put("tool_call_id", part.id());
    }
    if (part.name() != null) {
      json.put("function", part.name());
    }
    putMetadata(json, part.more());
    return json.build();
  }

  private static void putMetadata(JsonObject.Builder json, JsonObject more) {
    if (!more.isEmpty()) {
      json.put("metadata", JsonObject.of(DocumentWriter.KEPT, more));
    }
  }
}
