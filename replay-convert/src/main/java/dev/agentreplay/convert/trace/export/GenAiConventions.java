package dev.agentreplay.convert.trace.export;

import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The semantic conventions of OpenTelemetry for generative AI: spans {@code invoke_agent},
 * {@code chat} and {@code execute_tool}, and messages in the published JSON schemas.
 */
final class GenAiConventions implements SpanConventions {

  private static final String OPERATION = "gen_ai.operation.name";
  private static final String PROVIDER = "gen_ai.provider.name";
  private static final String CONVERSATION = "gen_ai.conversation.id";
  private static final String AGENT = "gen_ai.agent.name";
  private static final String MODEL = "gen_ai.request.model";
  private static final String ERROR = "error.type";
  private static final String INPUT = "gen_ai.input.messages";
  private static final String OUTPUT = "gen_ai.output.messages";
  private static final String SYSTEM = "gen_ai.system_instructions";
  private static final String TOOLS = "gen_ai.tool.definitions";

  /** The parameters that have an attribute, and whether it is a double. */
  private static final Map<String, Boolean> PARAMETERS = Map.of(
      "temperature",
      true,
      Names.TOP_P,
      true,
      Names.TOP_K,
      false,
      "max_tokens",
      false,
      "seed",
      false,
      "frequency_penalty",
      true,
      "presence_penalty",
      true);

  @Override
  public String agentName(String agent) {
    return "invoke_agent " + agent;
  }

  @Override
  public String modelName(Exchange call) {
    String model = call.model().model();
    return model == null ? "chat" : "chat " + model;
  }

  @Override
  public String toolName(Exchange call) {
    return "execute_tool " + call.tool().tool();
  }

  @Override
  public void session(Span root, ExportedSession session, String agent) {
    root.put(OPERATION, "invoke_agent");
    String model = session.model(MODEL);
    putProvider(root, model, session.header());
    root.put(AGENT, agent);
    root.put(CONVERSATION, session.id());
    if (session.start() != null) {
      session.start().move(CONVERSATION, Names.SESSION_ID);
    }
    if (model != null) {
      root.put(MODEL, model);
    }
    JsonArray tools = MessageJson.definitions(ExportedSession.functions(session.tools(TOOLS)));
    if (tools.size() > 0) {
      root.put(TOOLS, tools.toString());
    }
    SessionEnd end = session.endEvent();
    if (end != null && session.end() != null && !end.status().isSuccess()) {
      root.put(ERROR, end.status().word());
      session.end().record().derive(ERROR, "status");
      session.end().record().derive(ERROR, "outcome");
    }
  }

  @Override
  public void agent(Span span, ExportedSession session, Lane lane) {
    span.put(OPERATION, "invoke_agent");
    putProvider(span, null, lane.exchanges().get(0).begin());
    span.put(AGENT, String.valueOf(lane.agent()));
    span.put("gen_ai.agent.id", String.valueOf(lane.agent()));
    span.put(CONVERSATION, session.id());
    lane.exchanges().get(0).begin().record().derive("gen_ai.agent.id", Names.AGENT);
  }

  @Override
  public void model(Span span, ExportedSession session, Exchange call) {
    ExportedEvent begin = call.begin();
    String model = call.model().model();
    span.put(OPERATION, "chat");
    putProvider(span, model, begin);
    span.put(CONVERSATION, session.id());
    if (model != null) {
      span.put(MODEL, model);
      begin.move(MODEL, "model");
    }
    putParameters(span, begin);
    putPrompt(span, begin);
    ExportedEvent end = call.end();
    ModelResult result = call.modelResult();
    if (result != null && end != null) {
      putAnswer(span, result, end);
    }
  }

  /** Adds the provider: what the name of the model has before a slash. */
  private static void putProvider(
      Span span, @Nullable String model, @Nullable ExportedEvent event) {
    int slash = model == null ? -1 : model.indexOf('/');
    span.put(PROVIDER, model != null && slash > 0 ? model.substring(0, slash) : "unknown");
    if (slash <= 0 && event != null) {
      event.record().generate(PROVIDER, "unknown: the name of the model does not state it");
    }
  }

  private static void putParameters(Span span, ExportedEvent call) {
    PARAMETERS.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(parameter -> {
      String name = parameter.getKey();
      if (call.record().get("parameters", name) instanceof JsonNumber number) {
        String key = "gen_ai.request." + name;
        span.put(key, number, parameter.getValue());
        call.record().move(key, "parameters", name);
      }
    });
    for (String name : List.of("stop", "stop_sequences")) {
      if (call.record().get("parameters", name) instanceof JsonArray texts
          && texts.stream().allMatch(JsonString.class::isInstance)) {
        span.put(
            "gen_ai.request.stop_sequences",
            texts.stream().map(JsonValue::asString).toList());
        call.record().move("gen_ai.request.stop_sequences", "parameters", name);
      }
    }
  }

  private static void putPrompt(Span span, ExportedEvent call) {
    PromptParts prompt = PromptParts.of(call);
    if (call.value() == null) {
      return;
    }
    if (prompt.system() != null) {
      span.put(SYSTEM, MessageJson.parts(MessageParser.content(prompt.system())).toString());
    }
    if (prompt.tools() != null) {
      span.put(TOOLS, MessageJson.definitions(prompt.tools()).toString());
    }
    List<JsonValue> messages = new ArrayList<>();
    for (JsonValue message : prompt.messages()) {
      messages.add(MessageJson.message(ChatMessage.of(message, "user")).build());
    }
    span.put(INPUT, JsonArray.copyOf(messages).toString());
    span.keep(DocumentWriter.KEPT + ".prompt", prompt.more());
    PromptParts.transform(call, INPUT);
  }

  private static void putAnswer(Span span, ModelResult result, ExportedEvent end) {
    String reason = result.finish().reason();
    if (end.value() != null) {
      ChatMessage answer = ChatMessage.of(end.value(), "assistant");
      JsonObject.Builder message = MessageJson.message(answer);
      String shown =
          reason != null ? reason : result.finish().error() != null ? "error" : "unknown";
      if (message.addIfAbsent("finish_reason", JsonString.of(shown)) && reason == null) {
        end.record().generate(OUTPUT + "[].finish_reason", "error or unknown: it is not recorded");
      }
      span.put(OUTPUT, JsonArray.of(message.build()).toString());
      end.record().transform(OUTPUT, "answer");
    }
    if (reason != null) {
      span.put("gen_ai.response.finish_reasons", List.of(reason));
      end.move("gen_ai.response.finish_reasons", Names.FINISH_REASON);
    }
    if (end.record().get(Names.RESPONSE_ID) instanceof JsonString id) {
      span.put("gen_ai.response.id", id.value());
      end.move("gen_ai.response.id", Names.RESPONSE_ID);
    }
    Long input = result.tokens().input();
    Long output = result.tokens().output();
    if (input != null) {
      span.put("gen_ai.usage.input_tokens", input);
      end.move("gen_ai.usage.input_tokens", Names.TOKENS_IN);
    }
    if (output != null) {
      span.put("gen_ai.usage.output_tokens", output);
      end.move("gen_ai.usage.output_tokens", Names.TOKENS_OUT);
    }
    putDetail(
        span,
        "gen_ai.usage.cache_read.input_tokens",
        TokenDetails.cacheRead(end, "gen_ai.usage.cache_read.input_tokens"));
    putDetail(
        span,
        "gen_ai.usage.cache_write.input_tokens",
        TokenDetails.cacheWrite(end, "gen_ai.usage.cache_write.input_tokens"));
    putDetail(
        span,
        "gen_ai.usage.reasoning.output_tokens",
        TokenDetails.reasoning(end, "gen_ai.usage.reasoning.output_tokens"));
    if (result.finish().error() != null) {
      String name = result.finish().error().name();
      span.put(ERROR, name == null ? "_OTHER" : name);
      end.record().derive(ERROR, "error");
    }
  }

  private static void putDetail(Span span, String key, @Nullable JsonValue number) {
    if (number != null) {
      span.putValue(key, number);
    }
  }

  @Override
  public void tool(Span span, ExportedSession session, Exchange call) {
    ExportedEvent begin = call.begin();
    span.put(OPERATION, "execute_tool");
    span.put("gen_ai.tool.name", call.tool().tool());
    begin.move("gen_ai.tool.name", "tool");
    span.put("gen_ai.tool.call.id", call.tool().id());
    begin.move("gen_ai.tool.call.id", "id", Names.STEP_ID);
    span.put(CONVERSATION, session.id());
    if (begin.value() != null) {
      begin.putContent(span, "gen_ai.tool.call.arguments");
    }
    ExportedEvent end = call.end();
    ToolResult result = call.toolResult();
    if (result == null || end == null) {
      return;
    }
    end.move("gen_ai.tool.call.id", "id", Names.STEP_ID);
    if (end.value() != null) {
      end.putContent(span, "gen_ai.tool.call.result");
    }
    if (SpanWriter.isFailed(result.outcome())) {
      String name =
          result.outcome().error() == null ? null : result.outcome().error().name();
      span.put(ERROR, name == null ? "_OTHER" : name);
      end.record().derive(ERROR, "error");
    }
  }
}
