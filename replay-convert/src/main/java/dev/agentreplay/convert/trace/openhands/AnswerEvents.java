package dev.agentreplay.convert.trace.openhands;

import dev.agentreplay.canonical.JsonText;
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
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes the answers of the model: messages, and actions, of which one answer may have several. */
final class AnswerEvents {

  private static final String RESPONSE = "llm_response_id";
  private static final String CALL = "tool_call";
  private static final List<String> REASONING = List.of(
      "reasoning_content", "thinking_blocks", "responses_reasoning_item", "reasoning_details");

  private final TraceSession session;
  private final PromptView view;
  private final Usage usage;
  private final UniqueIds ids = new UniqueIds();
  private final Set<String> written = new HashSet<>();
  private @Nullable String model;

  AnswerEvents(TraceSession session, PromptView view, Usage usage) {
    this.session = session;
    this.view = view;
    this.usage = usage;
  }

  /** Sets the model of the calls that do not state theirs. */
  void model(String name) {
    model = name;
  }

  /** Writes the message of an agent. */
  void message(SourceRecord event) throws IOException {
    Meta meta = EventImport.meta(event);
    String id = call(event, meta);
    JsonObject message = event.object("llm_message");
    event.move("ModelResult/answer", "llm_message");
    session.emit(result(id, message, meta), event);
    view.add(EventImport.ids(event), message);
  }

  /** Writes the actions of one answer. */
  void actions(List<SourceRecord> actions) throws IOException {
    SourceRecord first = actions.get(0);
    String response = first.text(RESPONSE);
    if (response != null && written.contains(response)) {
      for (SourceRecord action : actions) { // apart from the others of their answer
        session.emit(toolCall(action, EventImport.meta(action)), action);
      }
      return;
    }
    Meta meta = EventImport.meta(first);
    String id = call(first, meta);
    JsonObject answer = answer(actions);
    for (SourceRecord action : actions.subList(1, actions.size())) {
      action.drop("equal to the one of the first action of the answer", RESPONSE);
    }
    List<ToolCall> calls = new ArrayList<>();
    for (SourceRecord action : actions) {
      calls.add(toolCall(action, action == first ? meta : EventImport.meta(action)));
    }
    session.derive(result(id, answer, meta), first); // what is kept of it is with its tool call
    for (int i = 0; i < calls.size(); i++) {
      session.emit(calls.get(i), actions.get(i));
    }
    List<String> events = new ArrayList<>();
    actions.forEach(action -> events.addAll(EventImport.ids(action)));
    view.add(events, answer);
  }

  /** Writes the call of the model, and returns its id. */
  private String call(SourceRecord event, Meta meta) throws IOException {
    String response = event.text(RESPONSE);
    String id;
    if (response == null || response.isBlank()) {
      event.generate("ModelCall/id", "numbered");
      id = ids.unused("answer");
    } else {
      written.add(response);
      event.move("ModelCall/id", RESPONSE);
      id = ids.unused(response);
    }
    String stated = response == null ? null : usage.model(response);
    ModelCall call = session
        .conversation(null)
        .call(id, stated == null ? model : stated, ModelCall.Parameters.NONE, meta);
    session.derive(call, event);
    return id;
  }

  private ModelResult result(String id, JsonObject answer, Meta meta) {
    JsonObject tokens = usage.takeTokens(id);
    return new ModelResult(
        id,
        Content.of(answer),
        Completion.NONE,
        new TokenCounts(
            Usage.count(tokens, "prompt_tokens"), Usage.count(tokens, "completion_tokens")),
        Timing.NONE.withLatencyMillis(usage.latencyMillis(id)),
        tokens == null ? meta : meta.withExtra(JsonObject.of(Names.TOKEN_DETAILS, tokens)));
  }

  /** The answer that actions were made of, as a message. */
  private static JsonObject answer(List<SourceRecord> actions) {
    SourceRecord first = actions.get(0);
    JsonObject.Builder answer = JsonObject.builder().put("role", "assistant");
    JsonValue thought = first.move("ModelResult/answer/content", "thought");
    answer.put("content", thought == null ? JsonArray.EMPTY : thought);
    for (String name : REASONING) {
      JsonValue value = first.get(name);
      boolean isEmpty = value == null
          || value == JsonNull.NULL
          || (value instanceof JsonArray array && array.size() == 0);
      if (!isEmpty) {
        answer.put(name, value);
        first.move("ModelResult/answer/" + name, name);
      }
    }
    List<JsonValue> calls = new ArrayList<>();
    for (SourceRecord action : actions) {
      if (action.get(CALL) instanceof JsonObject call) {
        JsonObject function =
            JsonObject.of("arguments", call.get("arguments"), "name", call.get("name"));
        calls.add(JsonObject.of("function", function, "id", call.get("id"), "type", "function"));
        for (String name : List.of("id", "name", "arguments")) {
          action.move("ModelResult/answer/tool_calls", CALL, name);
        }
      }
    }
    return answer.put(Names.TOOL_CALLS, JsonArray.copyOf(calls)).build();
  }

  /** The call of an action; the arguments of the model if it could not be executed. */
  private ToolCall toolCall(SourceRecord action, Meta meta) {
    String id = action.text(Names.TOOL_CALL_ID);
    if (id == null || id.isBlank()) {
      action.generate("ToolCall/id", "numbered");
      id = ids.unused("call");
    } else {
      action.move("ToolCall/id", Names.TOOL_CALL_ID);
    }
    String tool = action.text("tool_name");
    if (tool == null) {
      tool = action.text(CALL, "name");
      action.derive("ToolCall/tool", CALL, "name");
    } else {
      action.move("ToolCall/tool", "tool_name");
    }
    JsonValue params;
    if (action.get("action") instanceof JsonObject executed) {
      action.move("ToolCall/params", "action");
      params = executed;
    } else if (action.get(CALL, "arguments") instanceof JsonString arguments) {
      action.derive("ToolCall/params", CALL, "arguments");
      params = JsonText.parseOrString(arguments.value());
    } else {
      params = JsonObject.EMPTY;
    }
    return ToolCall.of(id, tool == null ? "unknown" : tool, params).withMeta(meta);
  }
}
