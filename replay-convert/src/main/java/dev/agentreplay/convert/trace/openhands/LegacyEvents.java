package dev.agentreplay.convert.trace.openhands;

import dev.agentreplay.convert.trace.reading.Conversation;
import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.reading.UniqueIds;
import dev.agentreplay.model.Content;
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
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes the events of OpenHands before version 1: actions, and observations of their causes. */
final class LegacyEvents {

  private static final String ACTION = "action";
  private static final String OBSERVATION = "observation";
  private static final String METADATA = "tool_call_metadata";
  private static final String RESPONSE = "model_response";

  /** Actions and observations of the runtime, which no model asked for. */
  private static final Set<String> INTERNAL = Set.of(
      "null",
      "recall",
      "change_agent_state",
      "agent_state_changed",
      "pause",
      "resume",
      "condensation",
      "condensation_request");

  private final TraceSession session;
  private final Conversation conversation;
  private final Set<String> answers = new HashSet<>();
  private final UniqueIds ids = new UniqueIds();

  LegacyEvents(TraceSession session) {
    this.session = session;
    this.conversation = session.conversation(null);
  }

  /** Whether an object is an event of an earlier version. */
  static boolean isEvent(JsonObject object) {
    return (object.get(ACTION) instanceof JsonString
            || object.get(OBSERVATION) instanceof JsonString)
        && SourceHead.text(object, "source") != null
        && object.get("id") instanceof JsonNumber
        && !object.has("kind");
  }

  /** The type of an event. */
  static String type(JsonObject event) {
    String action = SourceHead.text(event, ACTION);
    return action == null
        ? OBSERVATION + "/" + SourceHead.text(event, OBSERVATION)
        : ACTION + "/" + action;
  }

  void add(SourceRecord event) throws IOException {
    String action = event.text(ACTION);
    Meta meta = EventImport.meta(event);
    boolean isOfAgent = "agent".equals(event.text("source"));
    if (action == null) {
      observation(event, meta);
    } else if (action.equals("system")) {
      event.derive("ModelCall/prompt/system", "args", "content");
      JsonValue content = event.get("args", "content");
      conversation.system(content == null ? JsonObject.EMPTY : content);
      conversation.context(JsonObject.of("tools", event.array("args", "tools")));
      event.derive("ModelCall/prompt/context", "args", "tools");
      session.keep(event, meta);
    } else if (action.equals("message") && !isOfAgent) {
      user(event, meta);
    } else if (!isOfAgent || INTERNAL.contains(action)) {
      session.keep(event, meta);
    } else {
      action(event, action, meta);
    }
  }

  private void user(SourceRecord event, Meta meta) throws IOException {
    conversation.add("user", event.get("args", "content"));
    event.derive("ModelCall/prompt", "args", "content");
    if (event.get("args", "content") instanceof JsonString text) {
      session.task(event, text.value(), "args", "content");
    }
    session.message(event, meta);
  }

  /** Writes an action of the agent: the answer that asked for it, unless written, and its call. */
  private void action(SourceRecord event, String action, Meta meta) throws IOException {
    boolean isMessage = action.equals("message");
    String callId = event.text(METADATA, Names.TOOL_CALL_ID);
    String id = callId == null || callId.isBlank() ? "action-" + event.get("id") : callId;
    String response = event.text(METADATA, RESPONSE, "id");
    if (response == null || answers.add(response)) {
      answer(event, response, isMessage ? null : action, id, meta);
    } else {
      event.drop("equal to the one of the first action of the answer", METADATA, RESPONSE);
    }
    if (isMessage) {
      session.keep(event, meta);
      return;
    }
    if (callId == null) {
      event.generate("ToolCall/id", "action-<id>");
    } else {
      event.move("ToolCall/id", METADATA, Names.TOOL_CALL_ID);
    }
    String function = event.text(METADATA, "function_name");
    if (function == null) {
      event.move("ToolCall/tool", ACTION);
    } else {
      event.move("ToolCall/tool", METADATA, "function_name");
    }
    JsonValue args = event.move("ToolCall/params", "args");
    session.emit(
        ToolCall.of(
                id, function == null ? action : function, args == null ? JsonObject.EMPTY : args)
            .withMeta(meta),
        event);
  }

  private void answer(
      SourceRecord event,
      @Nullable String response,
      @Nullable String tool,
      String callId,
      Meta meta)
      throws IOException {
    String id = response;
    if (id == null) {
      event.generate("ModelCall/id", "numbered");
      id = ids.unused("answer");
    } else {
      event.move("ModelCall/id", METADATA, RESPONSE, "id");
    }
    event.move("ModelCall/model", METADATA, RESPONSE, "model");
    ModelCall call = conversation.call(
        id, event.text(METADATA, RESPONSE, "model"), ModelCall.Parameters.NONE, meta);
    session.derive(call, event);
    JsonValue message = message(event, tool, callId);
    JsonObject usage = event.object(METADATA, RESPONSE, "usage");
    event.derive("ModelResult/" + Names.TOKENS_IN, METADATA, RESPONSE, "usage", "prompt_tokens");
    event.derive(
        "ModelResult/" + Names.TOKENS_OUT, METADATA, RESPONSE, "usage", "completion_tokens");
    event.move("ModelResult/" + Names.TOKEN_DETAILS, METADATA, RESPONSE, "usage");
    session.derive(
        new ModelResult(
            id,
            Content.of(message),
            Completion.NONE,
            new TokenCounts(
                Usage.count(usage, "prompt_tokens"), Usage.count(usage, "completion_tokens")),
            Timing.NONE,
            usage.isEmpty() ? meta : meta.withExtra(JsonObject.of(Names.TOKEN_DETAILS, usage))),
        event);
    conversation.add(message);
  }

  /** The message of the model, as it is stated, or made of the action. */
  private static JsonValue message(SourceRecord event, @Nullable String tool, String callId) {
    JsonArray choices = event.array(METADATA, RESPONSE, "choices");
    if (choices.size() > 0
        && choices.get(0) instanceof JsonObject choice
        && choice.get("message") instanceof JsonObject message) {
      event.derive("ModelResult/answer", METADATA, RESPONSE, "choices");
      return message;
    }
    event.derive("ModelResult/answer", "args");
    String member = tool == null ? "content" : "thought";
    JsonObject answer = JsonObject.of("content", event.get("args", member), "role", "assistant");
    if (tool == null) {
      return answer;
    }
    JsonObject function = JsonObject.of("arguments", event.get("args"), "name", tool);
    return answer.with(
        Names.TOOL_CALLS,
        JsonArray.of(JsonObject.of("function", function, "id", callId, "type", "function")));
  }

  private void observation(SourceRecord event, Meta meta) throws IOException {
    String callId = event.text(METADATA, Names.TOOL_CALL_ID);
    String type = String.valueOf(event.text(OBSERVATION));
    if (INTERNAL.contains(type) || (callId == null && event.integer("cause") == null)) {
      session.keep(event, meta);
      return;
    }
    String id = callId == null || callId.isBlank() ? "action-" + event.get("cause") : callId;
    if (callId == null) {
      event.derive("ToolResult/id", "cause");
    } else {
      event.move("ToolResult/id", METADATA, Names.TOOL_CALL_ID);
      event.drop("the response is with the action", METADATA, RESPONSE);
    }
    JsonValue content = event.move("ToolResult/output", "content");
    event.derive("ModelCall/prompt", "content");
    conversation.add(JsonObject.of("content", content, "role", "tool", Names.TOOL_CALL_ID, id));
    Outcome outcome = type.equals("error") ? Outcome.of(false, null, null) : Outcome.NONE;
    Long exit = event.integer("extras", "metadata", "exit_code");
    if (exit != null && exit == exit.intValue() && exit >= 0) {
      event.derive("ToolResult/exit_code", "extras", "metadata", "exit_code");
      outcome = Outcome.exit(exit.intValue());
    }
    session.emit(ToolResult.of(id, content).withOutcome(outcome).withMeta(meta), event);
  }
}
