package dev.agentreplay.convert.trace.otel;

import dev.agentreplay.convert.trace.span.Span;
import dev.agentreplay.convert.trace.span.SpanRecord;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answer to a request. The first form of it that a span has is used. */
final class AnswerAttributes {

  private static final String TO = "ModelResult/answer";
  private static final String OUTPUT = "gen_ai.output.messages";
  private static final String ADK = "gcp.vertex.agent.llm_response";
  private static final String ANY_AGENT = "gen_ai.output";
  private static final String SDK_TEXT = "ai.response.text";
  private static final String SDK_CALLS = "ai.response.toolCalls";
  private static final String SDK_OBJECT = "ai.response.object";

  private static final String[] FLATTENED = {"llm.output_messages.", "gen_ai.completion."};
  private static final String[] TEXTS = {
    "gen_ai.completion", "output.value", "traceloop.entity.output"
  };
  private static final Map<String, String> EVENTS = Map.of("gen_ai.choice", "assistant");

  private AnswerAttributes() {}

  static boolean isStated(Span span) {
    JsonObject attributes = span.attributes();
    for (String name :
        List.of(OUTPUT, ANY_AGENT, SDK_TEXT, SDK_CALLS, SDK_OBJECT, "gen_ai.completion")) {
      if (attributes.has(name)) {
        return true;
      }
    }
    return PromptAttributes.hasFields(attributes.get(ADK))
        || attributes.names().stream()
            .anyMatch(name -> name.startsWith(FLATTENED[0]) || name.startsWith(FLATTENED[1]))
        || MessageForms.events(span).stream().anyMatch(event -> EVENTS.containsKey(event.name()));
  }

  static @Nullable JsonValue take(SpanRecord span) {
    if (SpanRecord.parsed(span.get(OUTPUT)) instanceof JsonArray array && array.size() > 0) {
      span.moveJson(TO, OUTPUT);
      return MessageForms.one(array.values());
    }
    List<JsonValue> messages =
        MessageForms.list(MessageForms.ofDetails(span, TO, OUTPUT), "assistant");
    for (String prefix : FLATTENED) {
      messages = messages.isEmpty() ? MessageForms.flattened(span, TO, prefix) : messages;
    }
    if (messages.isEmpty()) {
      messages = MessageForms.ofEvents(span, TO, EVENTS);
    }
    if (!messages.isEmpty()) {
      return MessageForms.one(messages);
    }
    JsonValue answer = ofSdk(span);
    answer = answer == null ? ofAdk(span) : answer;
    answer = answer == null ? ofAnyAgent(span) : answer;
    return answer == null ? ofTexts(span) : answer;
  }

  /** The answer as the AI SDK of Vercel has it: text, calls, or an object. */
  private static @Nullable JsonValue ofSdk(SpanRecord span) {
    if (span.first(SDK_TEXT, SDK_CALLS, SDK_OBJECT) == null) {
      return null;
    }
    JsonObject.Builder message = JsonObject.builder().put("role", "assistant");
    JsonValue content = span.move(TO, SDK_TEXT);
    content = content == null ? span.move(TO, SDK_OBJECT) : content;
    if (content != null) {
      message.put("content", content);
    }
    JsonValue calls = span.moveJson(TO, SDK_CALLS);
    if (calls != null) {
      message.put(Names.TOOL_CALLS, calls);
    }
    return message.build();
  }

  private static @Nullable JsonValue ofAdk(SpanRecord span) {
    if (SpanRecord.parsed(span.get(ADK)) instanceof JsonObject response
        && response.get("content") instanceof JsonObject content) {
      span.derive(TO, ADK);
      return content;
    }
    return null;
  }

  /** The answer as any-agent has it: a text, or a list of calls. */
  private static @Nullable JsonValue ofAnyAgent(SpanRecord span) {
    JsonValue value = span.get(ANY_AGENT);
    if (value == null) {
      return null;
    }
    JsonObject.Builder message = JsonObject.builder().put("role", "assistant");
    List<JsonValue> calls = new ArrayList<>();
    if (SpanRecord.parsed(value) instanceof JsonArray array) {
      for (JsonValue element : array) {
        if (element instanceof JsonObject call
            && call.get("tool.name") instanceof JsonString name) {
          JsonValue arguments = call.get("tool.args");
          calls.add(JsonObject.of(
              "name",
              name,
              "arguments",
              arguments == null ? JsonObject.EMPTY : SpanRecord.parsed(arguments)));
        }
      }
    }
    if (calls.isEmpty()) {
      return message.put("content", span.move(TO, ANY_AGENT)).build();
    }
    span.derive(TO, ANY_AGENT);
    return message.put(Names.TOOL_CALLS, JsonArray.copyOf(calls)).build();
  }

  private static @Nullable JsonValue ofTexts(SpanRecord span) {
    for (String name : TEXTS) {
      JsonValue value = SpanRecord.parsed(span.get(name));
      if (value != null) {
        span.derive(TO, name);
        return value instanceof JsonObject || value instanceof JsonArray
            ? value
            : JsonObject.of("role", "assistant", "content", value);
      }
    }
    for (Span.Event event : span.span().events()) {
      JsonValue value = event.attributes().get("gen_ai.completion");
      if (event.name().equals("gen_ai.content.completion") && value != null) {
        span.record().derive(TO, "events");
        return MessageForms.one(MessageForms.list(SpanRecord.parsed(value), "assistant"));
      }
    }
    return null;
  }
}
