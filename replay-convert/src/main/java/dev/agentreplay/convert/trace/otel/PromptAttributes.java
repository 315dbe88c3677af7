package dev.agentreplay.convert.trace.otel;

import dev.agentreplay.convert.trace.span.ModelFacts.Prompt;
import dev.agentreplay.convert.trace.span.Span;
import dev.agentreplay.convert.trace.span.SpanRecord;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The prompt of a request. The first form of the messages that a span has is used. */
final class PromptAttributes {

  private static final String TO = "ModelCall/prompt";
  private static final String INPUT = "gen_ai.input.messages";
  private static final String SYSTEM = "gen_ai.system_instructions";
  private static final String TOOLS = "gen_ai.tool.definitions";
  private static final String ADK = "gcp.vertex.agent.llm_request";
  private static final String SDK_PROMPT = "ai.prompt";
  private static final String SDK_TOOLS = "ai.prompt.tools";

  /** The attributes that hold the messages as JSON or text. */
  private static final String[] WHOLE = {INPUT, "ai.prompt.messages"};

  private static final String[] FLATTENED = {"llm.input_messages.", "gen_ai.prompt."};
  private static final String[] TEXTS = {"input.value", "traceloop.entity.input"};

  private static final Map<String, String> EVENTS = Map.of(
      "gen_ai.system.message", "system",
      "gen_ai.user.message", "user",
      "gen_ai.assistant.message", "assistant",
      "gen_ai.tool.message", "tool");

  private PromptAttributes() {}

  static boolean isStated(Span span) {
    JsonObject attributes = span.attributes();
    for (String name : List.of(INPUT, "ai.prompt.messages", SDK_PROMPT, "gen_ai.prompt")) {
      if (attributes.has(name)) {
        return true;
      }
    }
    return hasFields(attributes.get(ADK))
        || attributes.names().stream()
            .anyMatch(name -> name.startsWith(FLATTENED[0]) || name.startsWith(FLATTENED[1]))
        || MessageForms.events(span).stream()
            .anyMatch(event -> EVENTS.containsKey(event.name())
                || event.name().equals(MessageForms.DETAILS)
                || event.name().equals("gen_ai.content.prompt"));
  }

  /** Whether the text of a request or response of ADK is more than {@code {}}. */
  static boolean hasFields(@Nullable JsonValue text) {
    return SpanRecord.parsed(text) instanceof JsonObject object && !object.isEmpty();
  }

  static Prompt take(SpanRecord span) {
    JsonValue adk = SpanRecord.parsed(span.get(ADK));
    JsonObject request = adk instanceof JsonObject object ? object : JsonObject.EMPTY;
    JsonValue system = system(span);
    List<JsonValue> messages = messages(span);
    JsonArray tools = tools(span);
    if (messages.isEmpty() && request.get("contents") instanceof JsonArray contents) {
      span.derive(TO, ADK);
      messages = contents.values();
      JsonObject config =
          request.get("config") instanceof JsonObject stated ? stated : JsonObject.EMPTY;
      system = system == null ? config.get("system_instruction") : system;
      tools = tools == null && config.get("tools") instanceof JsonArray stated ? stated : tools;
    }
    if (messages.isEmpty() && span.get(SDK_PROMPT) != null) {
      JsonValue prompt = SpanRecord.parsed(span.get(SDK_PROMPT));
      span.derive(TO, SDK_PROMPT);
      if (prompt instanceof JsonObject stated) {
        system = system == null ? stated.get("system") : system;
        messages = MessageForms.list(
            stated.has("messages") ? stated.get("messages") : stated.get("prompt"), "user");
      }
    }
    return new Prompt(system, messages.isEmpty() ? texts(span) : messages, tools);
  }

  private static @Nullable JsonValue system(SpanRecord span) {
    return span.get(SYSTEM) == null
        ? MessageForms.ofDetails(span, TO + "/system", SYSTEM)
        : span.moveJson(TO + "/system", SYSTEM);
  }

  private static List<JsonValue> messages(SpanRecord span) {
    for (String name : WHOLE) {
      if (SpanRecord.parsed(span.get(name)) instanceof JsonArray array && array.size() > 0) {
        span.moveJson(TO, name);
        return array.values();
      }
    }
    List<JsonValue> messages = MessageForms.list(MessageForms.ofDetails(span, TO, INPUT), "user");
    for (String prefix : FLATTENED) {
      messages = messages.isEmpty() ? MessageForms.flattened(span, TO, prefix) : messages;
    }
    if (messages.isEmpty()) {
      messages = MessageForms.ofEvents(span, TO, EVENTS);
    }
    if (messages.isEmpty() && span.get("gen_ai.prompt") != null) {
      span.derive(TO, "gen_ai.prompt");
      messages = MessageForms.list(SpanRecord.parsed(span.get("gen_ai.prompt")), "user");
    }
    for (Span.Event event : span.span().events()) {
      if (messages.isEmpty() && event.name().equals("gen_ai.content.prompt")) {
        span.record().derive(TO, "events");
        messages =
            MessageForms.list(SpanRecord.parsed(event.attributes().get("gen_ai.prompt")), "user");
      }
    }
    return messages;
  }

  /** The input of a span that states no messages. */
  private static List<JsonValue> texts(SpanRecord span) {
    for (String name : TEXTS) {
      List<JsonValue> messages = MessageForms.list(SpanRecord.parsed(span.get(name)), "user");
      if (!messages.isEmpty()) {
        span.derive(TO, name);
        return messages;
      }
    }
    return List.of();
  }

  private static @Nullable JsonArray tools(SpanRecord span) {
    String to = TO + "/context";
    if (SpanRecord.parsed(span.get(TOOLS)) instanceof JsonArray) {
      return array(span.moveJson(to, TOOLS));
    }
    if (MessageForms.ofDetails(span, to, TOOLS) instanceof JsonArray tools) {
      return tools;
    }
    if (span.get(SDK_TOOLS) instanceof JsonArray) {
      return array(span.move(to, SDK_TOOLS));
    }
    for (String prefix : new String[] {"llm.request.functions.", "llm.tools."}) {
      List<JsonValue> tools = MessageForms.flattened(span, to, prefix);
      if (!tools.isEmpty()) {
        return array(JsonArray.copyOf(tools));
      }
    }
    return null;
  }

  /** The tools of an array, of which OpenInference and the AI SDK have each as a text. */
  private static @Nullable JsonArray array(@Nullable JsonValue value) {
    if (!(value instanceof JsonArray stated)) {
      return null;
    }
    List<JsonValue> tools = new ArrayList<>();
    for (JsonValue element : stated) {
      JsonValue tool = element;
      if (element instanceof JsonObject object
          && object.size() == 1
          && object.get("json_schema") instanceof JsonString schema) {
        tool = schema;
      }
      JsonValue parsed = SpanRecord.parsed(tool);
      tools.add(parsed == null ? tool : parsed);
    }
    return JsonArray.copyOf(tools);
  }
}
