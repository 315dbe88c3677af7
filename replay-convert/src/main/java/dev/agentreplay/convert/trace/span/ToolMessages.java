package dev.agentreplay.convert.trace.span;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The calls and results of tools in messages, in the forms of the providers of models. */
final class ToolMessages {

  private static final Set<String> CALLS =
      Set.of("tool_call", "tool-call", "tool_use", "toolCall", "function_call", "functionCall");
  private static final Set<String> RESULTS = Set.of(
      "tool_call_response",
      "tool-result",
      "tool_result",
      "function_call_output",
      "function_response",
      "functionResponse");
  private static final List<String> CALL_MEMBERS =
      List.of("function_call", "functionCall", "toolUse");
  private static final List<String> RESULT_MEMBERS =
      List.of("function_response", "functionResponse", "toolResult");

  /** A call that an answer asks for, or a result that a prompt has. */
  record Mention(@Nullable String id, @Nullable String name, @Nullable JsonValue value) {}

  private ToolMessages() {}

  /** The calls that a message, or each message of an array, asks for. */
  static List<Mention> calls(@Nullable JsonValue message) {
    List<Mention> found = new ArrayList<>();
    for (JsonObject object : messages(message)) {
      for (JsonObject call : objects(object.get("tool_calls"))) {
        found.add(call(call));
      }
      if (object.has("role") && object.get("function_call") instanceof JsonObject call) {
        found.add(call(call)); // before a message could ask for several
      }
      for (JsonObject choice : objects(object.get("choices"))) {
        found.addAll(calls(choice.get("message")));
      }
      for (JsonObject part : parts(object)) {
        addMention(part, CALLS, CALL_MEMBERS, ToolMessages::call, found);
      }
    }
    return found;
  }

  /** The results that a message has. */
  static List<Mention> results(JsonValue message) {
    List<Mention> found = new ArrayList<>();
    for (JsonObject object : messages(message)) {
      int before = found.size();
      for (JsonObject part : parts(object)) {
        addMention(part, RESULTS, RESULT_MEMBERS, ToolMessages::result, found);
      }
      if (found.size() == before && "tool".equals(text(object, "role"))) {
        found.add(result(object));
      }
    }
    return found;
  }

  /** Adds what a part of a message mentions: by its type, or if it has none, by its member. */
  private static void addMention(
      JsonObject part,
      Set<String> types,
      List<String> members,
      Function<JsonObject, Mention> mention,
      List<Mention> found) {
    String type = text(part, "type");
    if (type != null && types.contains(type)) {
      found.add(mention.apply(part));
    } else if (type == null) {
      for (String name : members) {
        if (part.get(name) instanceof JsonObject inner) {
          found.add(mention.apply(inner));
        }
      }
    }
  }

  /** The first text of a message; null if it has none. */
  static @Nullable String firstText(JsonValue message) {
    if (!(message instanceof JsonObject object)) {
      return null;
    }
    if (object.get("content") instanceof JsonString text) {
      return text.value();
    }
    for (JsonObject part : parts(object)) {
      String text = text(part, "text", "content");
      if (text != null) {
        return text;
      }
    }
    return null;
  }

  /** Whether a message is one of the user, and not the result of a tool in the user's name. */
  static boolean isOfUser(JsonValue message) {
    return message instanceof JsonObject object
        && "user".equals(text(object, "role"))
        && results(message).isEmpty();
  }

  private static Mention call(JsonObject call) {
    JsonObject function = call.get("function") instanceof JsonObject inner ? inner : call;
    JsonValue arguments = null;
    for (String name : List.of("arguments", "input", "args")) {
      arguments = arguments == null ? function.get(name) : arguments;
    }
    return new Mention(
        text(call, "call_id", "id", "toolCallId", "toolUseId"),
        text(function, "name", "toolName"),
        SpanRecord.parsed(arguments));
  }

  private static Mention result(JsonObject result) {
    JsonValue value = null;
    for (String name : List.of("response", "result", "output", "content")) {
      value = value == null ? result.get(name) : value;
    }
    return new Mention(
        text(result, "tool_call_id", "tool_use_id", "toolCallId", "toolUseId", "call_id", "id"),
        text(result, "name", "toolName"),
        value);
  }

  /**
   * The parts of a message. The items of a prompt or an answer of the Responses API are parts
   * themselves.
   */
  private static List<JsonObject> parts(JsonObject message) {
    List<JsonObject> parts = new ArrayList<>(objects(message.get("parts")));
    parts.addAll(objects(message.get("content")));
    parts.addAll(objects(message.get("output")));
    if (parts.isEmpty() && !message.has("role")) {
      parts.add(message);
    }
    return parts;
  }

  private static List<JsonObject> messages(@Nullable JsonValue message) {
    return message instanceof JsonObject object ? List.of(object) : objects(message);
  }

  private static List<JsonObject> objects(@Nullable JsonValue value) {
    List<JsonObject> objects = new ArrayList<>();
    if (value instanceof JsonArray array) {
      for (JsonValue element : array) {
        if (element instanceof JsonObject object) {
          objects.add(object);
        }
      }
    }
    return objects;
  }

  private static @Nullable String text(JsonObject object, String... names) {
    for (String name : names) {
      if (object.get(name) instanceof JsonString text && !text.value().isBlank()) {
        return text.value();
      }
    }
    return null;
  }
}
