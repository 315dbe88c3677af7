package dev.agentreplay.engine.message;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Collects the parts of a message. */
final class MessageReader {

  /** No format nests the parts of a message deeper. */
  private static final int MAX_DEPTH = 10;

  private static final Set<String> REASONING =
      Set.of("thinking", "reasoning", "reasoning_text", "summary_text", "redacted_thinking");

  /** The members of answers that have the messages, if nothing else has a part of one. */
  private static final List<String> ENVELOPES =
      List.of("choices", "candidates", "output", "message");

  private static final Set<String> RESULT_ROLES = Set.of("tool", "function");

  /** The members of records of other tools that may have a message. */
  private static final List<String> RECORD_MEMBERS =
      List.of("message", "payload", "llm_message", "content");

  /** The members whose value is the result of a tool. */
  private static final String[] RESULT_MEMBERS = {
    "functionResponse", Names.FUNCTION_RESPONSE, "toolResult", "codeExecutionResult"
  };

  final List<String> texts = new ArrayList<>();
  final List<String> thoughts = new ArrayList<>();
  final List<ToolRequest> calls = new ArrayList<>();
  final List<JsonValue> results = new ArrayList<>();

  /** Returns the message in a record of a different tool; null if there is none. */
  static @Nullable JsonObject messageIn(JsonObject record) {
    if (record.get("role") instanceof JsonString) {
      return record;
    }
    for (String name : RECORD_MEMBERS) {
      if (record.get(name) instanceof JsonObject message
          && message.get("role") instanceof JsonString) {
        return message;
      }
    }
    return null;
  }

  void read(@Nullable JsonValue value, int depth) {
    if (depth > MAX_DEPTH) {
      return;
    }
    if (value instanceof JsonString text) {
      add(texts, text);
    } else if (value instanceof JsonArray array) {
      array.forEach(part -> read(part, depth + 1));
    } else if (value instanceof JsonObject object) {
      read(object, depth + 1);
    }
  }

  private void read(JsonObject part, int depth) {
    String type = word(part.get("type"));
    if (REASONING.contains(type)) {
      Stream.of("thinking", "text", "reasoning", "summary", "content")
          .forEach(name -> reasoning(part.get(name)));
    } else if (isResult(type)) {
      result(part);
    } else if (type.endsWith("_call") || type.endsWith(Names.TOOL_USE)) {
      call(part, type.replaceFirst("_call$", ""));
    } else if (RESULT_ROLES.contains(word(part.get("role")))) {
      results(part, depth);
    } else if (!untyped(part)) {
      int before = size();
      message(part, depth);
      for (String name : ENVELOPES) {
        if (size() == before) {
          read(part.get(name), depth);
        }
      }
    }
  }

  private static boolean isResult(String type) {
    return type.endsWith(Names.TOOL_RESULT)
        || type.endsWith("_call_output")
        || type.equals("tool_call_response") // OpenTelemetry
        || type.equals(Names.TOOL_EXECUTION_RESULT);
  }

  /** Reads a part that states what it is by its member; returns whether it is one. */
  private boolean untyped(JsonObject part) {
    JsonValue call = first(part, "functionCall", "toolUse", "executableCode");
    JsonValue result = first(part, RESULT_MEMBERS);
    if (call instanceof JsonObject object) {
      call(object, part.has("executableCode") ? "executableCode" : "");
    } else if (result instanceof JsonObject object) {
      result(object);
    } else if (part.get("reasoningContent") instanceof JsonObject reasoning) { // Bedrock
      reasoning(reasoning.get("reasoningText"));
    } else {
      return false;
    }
    return true;
  }

  /** Reads the message of a tool, which has one result, or several as its parts. */
  private void results(JsonObject message, int depth) {
    int before = results.size();
    if (first(message, "content", "parts") instanceof JsonArray parts) {
      for (JsonValue part : parts) {
        if (part instanceof JsonObject object
            && (isResult(word(object.get("type"))) || first(object, RESULT_MEMBERS) != null)) {
          read(part, depth);
        }
      }
    }
    if (results.size() == before) {
      result(message);
    }
  }

  private void message(JsonObject message, int depth) {
    Stream.of("thinking", "reasoning_content", "reasoning")
        .forEach(name -> reasoning(message.get(name)));
    for (String name : List.of("content", "contents", "parts", "citationsContent")) {
      read(message.get(name), depth);
    }
    boolean isThought = JsonBoolean.TRUE.equals(message.get("thought")); // Gemini
    text(message, "text", isThought ? thoughts : texts);
    text(message, "refusal", texts);
    if (message.get("audio") instanceof JsonObject audio) { // OpenAI
      text(audio, "transcript", texts);
    }
    if (message.has("done")) { // Ollama
      text(message, "response", texts);
    }
    for (String name : List.of(Names.TOOL_CALLS, "toolCalls", "toolExecutionRequests")) {
      if (message.get(name) instanceof JsonArray requests) {
        requests.forEach(request -> call(request, ""));
      }
    }
    call(message.get(Names.FUNCTION_CALL), "");
  }

  private void reasoning(@Nullable JsonValue value) {
    if (value instanceof JsonString text) {
      add(thoughts, text);
    } else if (value instanceof JsonArray parts) {
      parts.forEach(this::reasoning);
    } else if (value instanceof JsonObject part) {
      text(part, "text", thoughts);
    }
  }

  /** Adds a call; one that does not state the name of the tool has that of its kind, if any. */
  private void call(@Nullable JsonValue value, String kind) {
    if (!(value instanceof JsonObject call)) {
      return;
    }
    JsonObject inner = call.get("function") instanceof JsonObject function
        ? function
        : call.get("custom") instanceof JsonObject custom ? custom : call;
    String name = first(inner, "name", "toolName", "tool_name") instanceof JsonString text
        ? text.value()
        : kind;
    if (!name.isEmpty()) {
      JsonValue arguments = first(inner, "arguments", "input", "args", "params", "action", "code");
      calls.add(new ToolRequest(name, arguments(arguments)));
    }
  }

  /** Arguments, which some formats state as a text of JSON. */
  private static JsonValue arguments(@Nullable JsonValue value) {
    return value instanceof JsonString text
        ? JsonText.parseOrString(text.value())
        : value == null ? JsonObject.EMPTY : value;
  }

  private void result(JsonObject message) {
    JsonValue result =
        first(message, "content", "contents", "parts", "text", "output", "result", "response");
    results.add(result == null ? JsonNull.NULL : result);
  }

  /** The first of some members that is neither missing nor null. */
  private static @Nullable JsonValue first(JsonObject object, String... names) {
    return Stream.of(names)
        .filter(name -> object.has(name) && object.get(name) != JsonNull.NULL)
        .findFirst()
        .map(object::get)
        .orElse(null);
  }

  private int size() {
    return texts.size() + thoughts.size() + calls.size() + results.size();
  }

  private static void text(JsonObject object, String name, List<String> list) {
    if (object.get(name) instanceof JsonString text) {
      add(list, text);
    }
  }

  private static void add(List<String> list, JsonString text) {
    if (!text.value().isBlank()) {
      list.add(text.value());
    }
  }

  /** A role or a type in one spelling; empty if there is none. */
  private static String word(@Nullable JsonValue value) {
    return value instanceof JsonString text
        ? text.value().toLowerCase(Locale.ROOT).replace('-', '_')
        : "";
  }
}
