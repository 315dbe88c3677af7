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
  private static final Set<String> CALLS = Set.of(
      Names.TOOL_USE,
      "server_tool_use",
      "mcp_tool_use",
      Names.TOOL_CALL,
      Names.FUNCTION_CALL,
      "custom_tool_call",
      "mcp_call");
  private static final Set<String> RESULTS = Set.of(
      Names.TOOL_RESULT,
      "mcp_tool_result",
      "web_search_tool_result",
      Names.FUNCTION_CALL_OUTPUT,
      "custom_tool_call_output",
      Names.TOOL_EXECUTION_RESULT);
  private static final Set<String> RESULT_ROLES = Set.of("tool", "function");

  final List<String> texts = new ArrayList<>();
  final List<String> thoughts = new ArrayList<>();
  final List<ToolRequest> calls = new ArrayList<>();
  final List<JsonValue> results = new ArrayList<>();

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
    } else if (CALLS.contains(type)) {
      call(part);
    } else if (RESULTS.contains(type) || RESULT_ROLES.contains(word(part.get("role")))) {
      result(part);
    } else if (part.get("functionCall") instanceof JsonObject call) {
      call(call); // Gemini
    } else if (part.get("toolUse") instanceof JsonObject call) {
      call(call); // Bedrock
    } else if (part.get("functionResponse") instanceof JsonObject result) {
      result(result);
    } else if (part.get("toolResult") instanceof JsonObject result) {
      result(result);
    } else if (!answer(part, depth)) {
      message(part, depth);
    }
  }

  /** Reads the messages of an answer of a provider; returns whether there are any. */
  private boolean answer(JsonObject answer, int depth) {
    for (String name : List.of("choices", "candidates", "output", "message")) {
      JsonValue inner = answer.get(name);
      if (inner instanceof JsonArray || inner instanceof JsonObject) {
        read(inner, depth);
        return true;
      }
    }
    return false;
  }

  private void message(JsonObject message, int depth) {
    Stream.of("thinking", "reasoning_content", "reasoning")
        .forEach(name -> reasoning(message.get(name)));
    for (String name : List.of("content", "contents", "parts")) {
      read(message.get(name), depth);
    }
    if (message.get("text") instanceof JsonString text) {
      boolean isThought = JsonBoolean.TRUE.equals(message.get("thought")); // Gemini
      add(isThought ? thoughts : texts, text);
    }
    if (message.get("refusal") instanceof JsonString text) {
      add(texts, text);
    }
    for (String name : List.of(Names.TOOL_CALLS, "toolExecutionRequests")) {
      if (message.get(name) instanceof JsonArray requests) {
        requests.forEach(this::call);
      }
    }
    call(message.get(Names.FUNCTION_CALL));
  }

  private void reasoning(@Nullable JsonValue value) {
    if (value instanceof JsonString text) {
      add(thoughts, text);
    } else if (value instanceof JsonArray parts) {
      parts.stream()
          .filter(JsonObject.class::isInstance)
          .forEach(part -> reasoning(((JsonObject) part).get("text")));
    }
  }

  private void call(@Nullable JsonValue value) {
    if (!(value instanceof JsonObject call)) {
      return;
    }
    JsonObject inner = call.get("function") instanceof JsonObject function
        ? function
        : call.get("custom") instanceof JsonObject custom ? custom : call;
    JsonValue name = first(inner, "name", "toolName", "tool_name");
    if (name instanceof JsonString text) {
      JsonValue arguments = first(inner, "arguments", "input", "args", "params");
      calls.add(new ToolRequest(text.value(), arguments(arguments)));
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
