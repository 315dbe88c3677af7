package dev.agentreplay.convert.trace.gemini;

import dev.agentreplay.convert.trace.reading.Conversation;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.SourceTimes;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.reading.UniqueIds;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourceFault.Kind;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Writes the answers of the model, each with the calls of tools and their results. */
final class AnswerEvents {

  private static final String CALLS = "toolCalls";
  private static final String TOKENS = "tokens";
  private static final Set<String> ENDED = Set.of("success", "error", "cancelled");

  private final TraceSession session;
  private final Meta lane;
  private final ChatEvents.Agents agents;
  private final UniqueIds ids = new UniqueIds();

  AnswerEvents(TraceSession session, Meta lane, ChatEvents.Agents agents) {
    this.session = session;
    this.lane = lane;
    this.agents = agents;
  }

  void write(SourceRecord message) throws IOException {
    Meta meta = lane.withTime(SourceTimes.take(message, "timestamp"));
    Conversation conversation = session.conversation(lane.agent());
    String id = id(message);
    message.move("ModelCall/model", "model");
    ModelCall call = conversation.call(id, message.text("model"), ModelCall.Parameters.NONE, meta);
    session.derive(call, message);
    JsonObject answer = answer(message);
    message.move("ModelResult/answer/content", "content");
    message.move("ModelResult/answer/thoughts", "thoughts");
    List<SourceRecord> calls = message.split(Names.TOOL_CALL, CALLS);
    if (calls.isEmpty() && message.array(CALLS).size() > 0) {
      session.fault(new SourceFault(
          Kind.CONTRADICTION, message.place(), "a tool call of the message is not an object"));
    }
    session.emit(result(message, id, answer, meta), message);
    conversation.add(answer);
    calls(calls, meta);
    addResults(conversation, message);
  }

  private String id(SourceRecord message) {
    String stated = message.text("id");
    if (stated != null && !stated.isBlank()) {
      message.move("ModelCall/id", "id");
      return ids.unused(stated);
    }
    message.generate("ModelCall/id", "numbered");
    return ids.unused("answer");
  }

  /** Adds an answer, and what the tools returned, to a conversation. */
  void addTo(Conversation conversation, SourceRecord message) {
    conversation.add(answer(message));
    addResults(conversation, message);
  }

  private static void addResults(Conversation conversation, SourceRecord message) {
    for (JsonValue value : message.array(CALLS)) {
      if (value instanceof JsonObject call && hasResult(call)) {
        conversation.add(JsonObject.of("parts", call.get("result"), "role", "user"));
      }
    }
  }

  private static boolean hasResult(JsonObject call) {
    JsonValue result = call.get("result");
    return result != null && result != JsonNull.NULL;
  }

  /** The answer as a message, with the calls that it asks for. */
  private static JsonObject answer(SourceRecord message) {
    JsonValue content = message.get("content");
    JsonObject.Builder answer = JsonObject.builder()
        .put(content instanceof JsonArray ? "parts" : "content", content)
        .put("role", "model");
    if (message.get("thoughts") != null) {
      answer.put("thoughts", message.get("thoughts"));
    }
    List<JsonValue> calls = new ArrayList<>();
    for (JsonValue value : message.array(CALLS)) {
      if (value instanceof JsonObject call) {
        calls.add(JsonObject.of(
            "args", call.get("args"), "id", call.get("id"), "name", call.get("name")));
      }
    }
    return calls.isEmpty()
        ? answer.build()
        : answer.put(CALLS, JsonArray.copyOf(calls)).build();
  }

  private static ModelResult result(SourceRecord message, String id, JsonObject answer, Meta meta) {
    message.derive("ModelResult/" + Names.TOKENS_IN, TOKENS, "input");
    message.derive("ModelResult/" + Names.TOKENS_OUT, TOKENS, "output");
    TokenCounts tokens =
        new TokenCounts(message.count(TOKENS, "input"), message.count(TOKENS, "output"));
    Meta resultMeta = meta;
    if (message.get(TOKENS) instanceof JsonObject details) {
      message.move("ModelResult/" + Names.TOKEN_DETAILS, TOKENS);
      resultMeta = meta.withExtra(JsonObject.of(Names.TOKEN_DETAILS, details));
    }
    return new ModelResult(
        id, Content.of(answer), Completion.NONE, tokens, Timing.NONE, resultMeta);
  }

  /** Writes the calls of one answer, and then their results. */
  private void calls(List<SourceRecord> calls, Meta meta) throws IOException {
    List<ToolResult> results = new ArrayList<>();
    List<SourceRecord> ended = new ArrayList<>();
    for (SourceRecord call : calls) {
      if (!(call.get("name") instanceof JsonString name)) {
        session.fault(new SourceFault(
            Kind.CONTRADICTION, call.place(), "a tool call does not name its tool"));
        session.keep(call, meta);
        continue;
      }
      String id = callId(call);
      call.move("ToolCall/tool", "name");
      JsonValue args = call.move("ToolCall/params", "args");
      if (isEnded(call)) {
        results.add(toolResult(call, id));
        ended.add(call);
      }
      session.emit(
          ToolCall.of(id, name.value(), args == null ? JsonObject.EMPTY : args).withMeta(meta),
          call);
    }
    for (int i = 0; i < results.size(); i++) {
      SourceRecord call = ended.get(i);
      String agent = call.text("agentId");
      if (agent != null) {
        agents.write(session, agent, results.get(i).id());
      }
      session.emit(results.get(i), call);
    }
  }

  private String callId(SourceRecord call) {
    String id = call.text("id");
    if (id != null && !id.isBlank()) {
      call.move("ToolCall/id", "id");
      return id;
    }
    call.generate("ToolCall/id", "numbered");
    return ids.unused("call");
  }

  private static boolean isEnded(SourceRecord call) {
    return hasResult(call.json()) || ENDED.contains(String.valueOf(call.text("status")));
  }

  private ToolResult toolResult(SourceRecord call, String id) {
    call.derive("ToolResult/ok", "status");
    JsonValue output = call.move("ToolResult/output", "result");
    call.derive("ModelCall/prompt", "result");
    String status = String.valueOf(call.text("status"));
    Outcome outcome =
        switch (status) {
          case "success" -> Outcome.OK;
          case "error" -> Outcome.of(false, null, null);
          case "cancelled" ->
            Outcome.of(
                false, null, Failure.of(Failure.CANCELLED, "the status of the call is cancelled"));
          default -> Outcome.NONE;
        };
    return ToolResult.of(id, output)
        .withOutcome(outcome)
        .withMeta(lane.withTime(SourceTimes.take(call, "timestamp")));
  }
}
