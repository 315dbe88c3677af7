package dev.agentreplay.convert.trace.langfuse;

import static dev.agentreplay.convert.trace.langfuse.LangfuseVocabulary.INPUT;
import static dev.agentreplay.convert.trace.langfuse.LangfuseVocabulary.OUTPUT;

import dev.agentreplay.convert.trace.span.ModelFacts.Prompt;
import dev.agentreplay.convert.trace.span.SpanRecord;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The messages of prompts and answers, which are texts, JSON in texts, or JSON. */
final class MessageMembers {

  private static final String TO = "ModelCall/prompt";
  private static final String ANSWER = "ModelResult/answer";
  private static final String[] TOOLS = {"tool_definitions", "toolDefinitions"};
  private static final String[] CALLS = {"tool_calls", "toolCalls"};

  private MessageMembers() {}

  static Prompt prompt(SpanRecord record) {
    JsonArray tools = tools(record);
    JsonValue input = SpanRecord.parsed(record.get(INPUT));
    if (!LangfuseVocabulary.isSet(input)) {
      return new Prompt(null, List.of(), tools);
    } else if (input instanceof JsonArray messages) {
      record.moveJson(TO, INPUT);
      return new Prompt(null, messages.values(), tools);
    } else if (input instanceof JsonObject object
        && object.get("messages") instanceof JsonArray messages) {
      record.derive(TO, INPUT);
      JsonArray stated =
          tools == null && object.get("tools") instanceof JsonArray array ? array : tools;
      return new Prompt(object.get("system"), messages.values(), stated);
    } else if (input instanceof JsonObject object
        && object.get("contents") instanceof JsonArray contents) {
      record.derive(TO, INPUT);
      JsonObject config =
          object.get("config") instanceof JsonObject stated ? stated : JsonObject.EMPTY;
      JsonArray stated =
          tools == null && config.get("tools") instanceof JsonArray array ? array : tools;
      return new Prompt(config.get("system_instruction"), contents.values(), stated);
    }
    record.moveJson(TO, INPUT);
    JsonValue message = input instanceof JsonObject object && object.has("role")
        ? object
        : JsonObject.of("role", "user", "content", input);
    return new Prompt(null, List.of(message), tools);
  }

  static @Nullable JsonValue answer(SpanRecord record) {
    JsonValue stated = record.get(OUTPUT);
    if (SpanRecord.parsed(stated) instanceof JsonObject response
        && response.get("content") instanceof JsonObject content
        && content.has("parts")) {
      record.derive(ANSWER, OUTPUT);
      return content; // the response of Gemini
    }
    JsonValue output = LangfuseVocabulary.isSet(stated) ? record.moveJson(ANSWER, OUTPUT) : null;
    if (output instanceof JsonArray messages && messages.size() == 1) {
      output = messages.get(0);
    } else if (!(output instanceof JsonObject) && !(output instanceof JsonArray)) {
      output = output == null ? null : JsonObject.of("role", "assistant", "content", output);
    }
    return withCalls(record, output);
  }

  /** Adds the calls that only their own member states. */
  private static @Nullable JsonValue withCalls(SpanRecord record, @Nullable JsonValue output) {
    for (String name : CALLS) {
      if (!(record.get(name) instanceof JsonArray calls)
          || calls.size() == 0
          || !(output == null || (output instanceof JsonObject object && !hasCalls(object)))) {
        continue;
      }
      record.move(ANSWER, name);
      JsonArray parsed = JsonArray.copyOf(calls.stream()
          .map(call -> {
            JsonValue value = SpanRecord.parsed(call);
            return value == null ? call : value;
          })
          .toList());
      JsonObject message =
          output instanceof JsonObject object ? object : JsonObject.of("role", "assistant");
      return message.with("tool_calls", parsed);
    }
    return output;
  }

  private static boolean hasCalls(JsonObject message) {
    return message.has("tool_calls")
        || message.has("toolCalls")
        || message.get("content") instanceof JsonArray
        || message.has("parts")
        || message.has("choices")
        || message.has("output");
  }

  private static @Nullable JsonArray tools(SpanRecord record) {
    for (String name : TOOLS) {
      JsonValue stated = SpanRecord.parsed(record.get(name));
      if (stated instanceof JsonArray array && array.size() > 0) {
        record.moveJson(TO + "/context", name);
        return array;
      } else if (stated instanceof JsonObject byName && !byName.isEmpty()) {
        record.derive(TO + "/context", name);
        return JsonArray.copyOf(byName.names().stream()
            .map(tool -> named(tool, SpanRecord.parsed(byName.get(tool))))
            .toList());
      }
    }
    return null;
  }

  private static JsonValue named(String name, @Nullable JsonValue definition) {
    JsonObject tool = definition instanceof JsonObject object ? object : JsonObject.EMPTY;
    return tool.has("name") || tool.has("function") ? tool : tool.with("name", name);
  }
}
