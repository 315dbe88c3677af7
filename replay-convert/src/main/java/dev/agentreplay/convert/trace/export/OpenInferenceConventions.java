package dev.agentreplay.convert.trace.export;

import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The semantic conventions of OpenInference: spans of agents, models and tools. */
final class OpenInferenceConventions implements SpanConventions {

  private static final String KIND = "openinference.span.kind";
  private static final String SESSION = "session.id";
  private static final String AGENT = "agent.name";
  private static final String INPUT = "input.value";
  private static final String OUTPUT = "output.value";
  private static final String JSON = "application/json";
  private static final String TEXT = "text/plain";
  private static final String TOKENS = "llm.token_count.";

  @Override
  public String agentName(String agent) {
    return agent;
  }

  @Override
  public String modelName(Exchange call) {
    String model = call.model().model();
    return model == null ? "llm" : model;
  }

  @Override
  public String toolName(Exchange call) {
    return call.tool().tool();
  }

  @Override
  public void session(Span root, ExportedSession session, String agent) {
    root.put(KIND, "AGENT");
    root.put(SESSION, session.id());
    root.put(AGENT, agent);
    ExportedEvent start = session.start();
    if (start == null) {
      return;
    }
    start.move(SESSION, Names.SESSION_ID);
    String task = session.task();
    if (task != null) {
      putText(root, "input", task);
      start.move(INPUT, "task");
    }
    if (start.record().get("user") instanceof JsonString user) {
      root.put("user.id", user.value());
      start.move("user.id", "user");
    }
    List<String> tags = start.record().array("tags").stream()
        .filter(JsonString.class::isInstance)
        .map(JsonValue::asString)
        .toList();
    if (!tags.isEmpty()) {
      root.put("tag.tags", tags);
      start.move("tag.tags", "tags");
    }
  }

  @Override
  public void agent(Span span, ExportedSession session, Lane lane) {
    span.put(KIND, "AGENT");
    span.put(SESSION, session.id());
    span.put(AGENT, String.valueOf(lane.agent()));
    lane.exchanges().get(0).begin().record().derive(AGENT, Names.AGENT);
  }

  @Override
  public void model(Span span, ExportedSession session, Exchange call) {
    ExportedEvent begin = call.begin();
    span.put(KIND, "LLM");
    span.put(SESSION, session.id());
    if (call.model().model() != null) {
      span.put("llm.model_name", call.model().model());
      begin.move("llm.model_name", "model");
    }
    JsonObject parameters = call.model().parameters().json();
    if (!parameters.isEmpty()) {
      span.put("llm.invocation_parameters", parameters.toString());
      begin.record().transform("llm.invocation_parameters", "parameters");
    }
    putPrompt(span, begin);
    ModelResult result = call.modelResult();
    ExportedEvent end = call.end();
    if (result != null && end != null) {
      putAnswer(span, result, end);
    }
  }

  private static void putPrompt(Span span, ExportedEvent call) {
    PromptParts prompt = PromptParts.of(call);
    if (call.value() == null) {
      return;
    }
    List<ChatMessage> messages = new ArrayList<>();
    if (prompt.system() != null) {
      messages.add(
          new ChatMessage("system", MessageParser.content(prompt.system()), JsonObject.EMPTY));
    }
    prompt.messages().forEach(message -> messages.add(ChatMessage.of(message, "user")));
    for (int i = 0; i < messages.size(); i++) {
      putMessage(span, "llm.input_messages." + i + ".message.", messages.get(i));
    }
    JsonArray tools =
        prompt.tools() == null ? JsonArray.EMPTY : MessageJson.definitions(prompt.tools());
    for (int i = 0; i < tools.size(); i++) {
      span.put("llm.tools." + i + ".tool.json_schema", tools.get(i).toString());
    }
    span.keep(DocumentWriter.KEPT + ".prompt", prompt.more());
    PromptParts.transform(call, "llm.input_messages");
  }

  private static void putAnswer(Span span, ModelResult result, ExportedEvent end) {
    if (end.value() != null) {
      ChatMessage answer = ChatMessage.of(end.value(), "assistant");
      putMessage(span, "llm.output_messages.0.message.", answer);
      if (!answer.text().isEmpty()) {
        putText(span, "output", answer.text());
      }
      end.record().transform("llm.output_messages", "answer");
    }
    if (result.finish().reason() != null) {
      span.put("llm.finish_reason", result.finish().reason());
      end.move("llm.finish_reason", Names.FINISH_REASON);
    }
    Long input = result.tokens().input();
    Long output = result.tokens().output();
    if (input != null) {
      span.put(TOKENS + "prompt", input);
      end.move(TOKENS + "prompt", Names.TOKENS_IN);
    }
    if (output != null) {
      span.put(TOKENS + "completion", output);
      end.move(TOKENS + "completion", Names.TOKENS_OUT);
    }
    if (input != null && output != null) {
      span.put(TOKENS + "total", input + output);
    }
    String read = TOKENS + "prompt_details.cache_read";
    putDetail(span, read, TokenDetails.cacheRead(end, read));
    String write = TOKENS + "prompt_details.cache_write";
    putDetail(span, write, TokenDetails.cacheWrite(end, write));
    String reasoning = TOKENS + "completion_details.reasoning";
    putDetail(span, reasoning, TokenDetails.reasoning(end, reasoning));
  }

  private static void putDetail(Span span, String key, @Nullable JsonValue number) {
    if (number != null) {
      span.putValue(key, number);
    }
  }

  /** Adds a message as flattened attributes. */
  static void putMessage(Span span, String prefix, ChatMessage message) {
    span.put(prefix + "role", message.role());
    List<MessagePart> calls = message.calls();
    List<MessagePart> contents =
        message.parts().stream().filter(part -> !part.is(MessagePart.Kind.CALL)).toList();
    MessagePart only = contents.size() == 1 ? contents.get(0) : null;
    if (only != null && only.more().isEmpty() && only.is(MessagePart.Kind.TEXT)) {
      span.put(prefix + "content", only.asText());
    } else if (only != null && only.more().isEmpty() && only.is(MessagePart.Kind.RESULT)) {
      putResult(span, prefix, only);
    } else {
      for (int i = 0; i < contents.size(); i++) {
        putContent(span, prefix + "contents." + i + ".message_content.", contents.get(i));
      }
    }
    for (int i = 0; i < calls.size(); i++) {
      putCall(span, prefix + "tool_calls." + i + ".tool_call.", calls.get(i));
    }
    span.keep(prefix + DocumentWriter.KEPT, message.more());
  }

  private static void putResult(Span span, String prefix, MessagePart result) {
    if (result.id() != null) {
      span.put(prefix + "tool_call_id", result.id());
    }
    if (result.name() != null) {
      span.put(prefix + "name", result.name());
    }
    span.put(prefix + "content", result.asText());
  }

  private static void putCall(Span span, String prefix, MessagePart call) {
    if (call.id() != null) {
      span.put(prefix + "id", call.id());
    }
    if (call.name() != null) {
      span.put(prefix + "function.name", call.name());
    }
    span.put(prefix + "function.arguments", call.value().toString());
    span.keep(prefix + DocumentWriter.KEPT, call.more());
  }

  private static void putContent(Span span, String prefix, MessagePart part) {
    Image image = Image.of(part);
    if (image != null) {
      span.put(prefix + "type", "image");
      span.put(prefix + "image.image.url", image.url());
      return;
    }
    switch (part.kind()) {
      case TEXT -> span.put(prefix + "type", "text");
      case REASONING -> span.put(prefix + "type", "reasoning");
      case RESULT -> {
        span.put(prefix + "type", Names.TOOL_RESULT);
        if (part.id() != null) {
          span.put(prefix + "id", part.id());
        }
      }
      default ->
        span.put(
            prefix + "type",
            part.value() instanceof JsonObject object
                    && object.get("type") instanceof JsonString type
                ? type.value()
                : DocumentWriter.KEPT);
    }
    span.put(prefix + "text", part.asText());
    JsonObject more = part.name() == null ? part.more() : part.more().with("name", part.name());
    if (more.get("signature") instanceof JsonString signature) {
      span.put(prefix + "signature", signature.value());
      more = more.without("signature");
    }
    span.keep(prefix + DocumentWriter.KEPT, more);
  }

  @Override
  public void tool(Span span, ExportedSession session, Exchange call) {
    ExportedEvent begin = call.begin();
    span.put(KIND, "TOOL");
    span.put(SESSION, session.id());
    span.put("tool.name", call.tool().tool());
    begin.move("tool.name", "tool");
    span.put("tool.id", call.tool().id());
    begin.move("tool.id", "id", Names.STEP_ID);
    putValue(span, "input", begin);
    ExportedEvent end = call.end();
    if (end != null) {
      end.move("tool.id", "id", Names.STEP_ID);
      putValue(span, "output", end);
    }
  }

  private static void putValue(Span span, String side, ExportedEvent event) {
    if (event.value() != null) {
      event.putContent(span, side.equals("input") ? INPUT : OUTPUT);
      span.put(side + ".mime_type", event.value() instanceof JsonString ? TEXT : JSON);
    }
  }

  private static void putText(Span span, String side, String text) {
    span.put(side + ".value", text);
    span.put(side + ".mime_type", TEXT);
  }
}
