package dev.agentreplay.convert.trace.atif;

import dev.agentreplay.convert.trace.reading.Conversation;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.SourceTimes;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.reading.UniqueIds;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourceFault.Kind;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the steps of one trajectory. */
final class AtifSteps {

  /** The member that marks a step as one of an earlier run: the model sees it, it is not new. */
  static final String COPIED = "is_copied_context";

  private static final String CALL = "source_call_id";
  private static final String RESULTS = "results";
  private static final String OBSERVATION = "observation";

  private final TraceSession session;
  private final AtifImport.Subagents subagents;
  private final Meta lane;
  private final Conversation conversation;
  private final @Nullable String model;
  private final UniqueIds ids;
  private boolean isBegun;

  AtifSteps(
      TraceSession session,
      AtifImport.Subagents subagents,
      UniqueIds ids,
      Meta lane,
      @Nullable String model) {
    this.session = session;
    this.ids = ids;
    this.subagents = subagents;
    this.lane = lane;
    this.conversation = session.conversation(lane.agent());
    this.model = model;
  }

  /** Whether a step is an answer of a model that was given in this run. */
  static boolean isModelCall(SourceRecord step) {
    boolean isDispatched =
        step.get("llm_call_count") instanceof JsonNumber count && count.text().equals("0");
    return "agent".equals(step.text("source")) && !isDispatched && !step.isTrue(COPIED);
  }

  void write(SourceRecord step) throws IOException {
    String source = String.valueOf(step.text("source"));
    if (step.isTrue(COPIED)) {
      copied(step, source);
      return;
    }
    Meta meta = lane.withTime(SourceTimes.take(step, "timestamp"));
    switch (source) {
      case "user" -> user(step, meta);
      case "system" -> system(step, meta);
      case "agent" -> agent(step, meta);
      default -> {
        step.unknown();
        session.keep(step, meta);
      }
    }
    isBegun |= !source.equals("system");
  }

  /** Adds a step of an earlier run to the conversation. */
  private void copied(SourceRecord step, String source) throws IOException {
    Meta meta = lane.withTime(SourceTimes.take(step, "timestamp"));
    step.derive("ModelCall/prompt", "message");
    if (source.equals("agent")) {
      conversation.add(answer(step));
      for (JsonValue result : step.array(OBSERVATION, RESULTS)) {
        if (result instanceof JsonObject object) {
          addResult(object);
        }
      }
    } else if (source.equals("system") && !isBegun) {
      conversation.system(message(step));
    } else {
      conversation.add(source, message(step));
    }
    isBegun |= !source.equals("system");
    session.keep(step, meta);
  }

  private static JsonValue message(SourceRecord step) {
    JsonValue message = step.get("message");
    return message == null ? JsonNull.NULL : message;
  }

  private void user(SourceRecord step, Meta meta) throws IOException {
    conversation.add("user", message(step));
    step.derive("ModelCall/prompt", "message");
    String text = text(step.get("message"));
    if (text != null && meta.agent() == null && session.start().task().text() == null) {
      step.derive("SessionStart/task", "message");
      session.task(text);
    }
    List<SourceRecord> results = step.split("observation_result", OBSERVATION, RESULTS);
    session.message(step, meta);
    results(results, meta);
  }

  private static @Nullable String text(@Nullable JsonValue message) {
    if (message instanceof JsonArray parts) {
      return parts.stream()
          .filter(
              part -> part instanceof JsonObject object && object.get("text") instanceof JsonString)
          .map(part -> part.asObject().get("text").asString())
          .findFirst()
          .orElse(null);
    }
    return message instanceof JsonString text ? text.value() : null;
  }

  /** A system prompt, or something that the runtime did, such as replacing the conversation. */
  private void system(SourceRecord step, Meta meta) throws IOException {
    boolean isReplaced = "replace".equals(step.text("extra", "context_management", "boundary"));
    List<SourceRecord> results = step.split("observation_result", OBSERVATION, RESULTS);
    if (isReplaced) {
      step.derive("ModelCall/prompt", "extra", "context_management", "boundary");
      conversation.clear();
    } else if (isBegun) {
      step.derive("ModelCall/prompt", "message");
      conversation.add("system", message(step));
    } else {
      step.derive("ModelCall/prompt/system", "message");
      conversation.system(message(step));
      isBegun = true;
    }
    session.keep(step, meta);
    results(results, meta);
  }

  private void agent(SourceRecord step, Meta meta) throws IOException {
    boolean isModelCall = isModelCall(step);
    JsonObject answer = answer(step);
    String id = isModelCall ? call(step, meta) : "";
    List<SourceRecord> calls = step.split(Names.TOOL_CALL, Names.TOOL_CALLS);
    List<SourceRecord> results = step.split("observation_result", OBSERVATION, RESULTS);
    if (calls.isEmpty() && step.array(Names.TOOL_CALLS).size() > 0) {
      session.fault(new SourceFault(
          Kind.CONTRADICTION, step.place(), "a tool call of the step is not an object"));
    }
    if (isModelCall) {
      result(step, id, answer, meta);
    } else {
      session.keep(step, meta);
    }
    conversation.add(answer);
    for (SourceRecord call : calls) {
      toolCall(call, meta);
    }
    results(results, meta);
  }

  /** The answer of a step as a message, in the form that most providers take. */
  private static JsonObject answer(SourceRecord step) {
    JsonObject.Builder answer =
        JsonObject.builder().put("role", "assistant").put("content", message(step));
    if (step.get("reasoning_content") instanceof JsonString reasoning) {
      answer.put("reasoning_content", reasoning);
    }
    List<JsonValue> calls = new ArrayList<>();
    for (JsonValue value : step.array(Names.TOOL_CALLS)) {
      if (value instanceof JsonObject call) {
        JsonObject function =
            JsonObject.of("arguments", call.get("arguments"), "name", call.get("function_name"));
        calls.add(JsonObject.of(
            "function", function, "id", call.get(Names.TOOL_CALL_ID), "type", "function"));
      }
    }
    return calls.isEmpty()
        ? answer.build()
        : answer.put(Names.TOOL_CALLS, JsonArray.copyOf(calls)).build();
  }

  /** Writes the call of the model, and returns its id. */
  private String call(SourceRecord step, Meta meta) throws IOException {
    String stated = step.text("model_name");
    if (stated != null) {
      step.move("ModelCall/model", "model_name");
    }
    JsonObject parameters = JsonObject.EMPTY;
    JsonValue effort = step.get("reasoning_effort");
    if (effort != null && effort != JsonNull.NULL) {
      step.move("ModelCall/parameters/reasoning_effort", "reasoning_effort");
      parameters = JsonObject.of("reasoning_effort", effort);
    }
    String id = id(step);
    ModelCall call = conversation.call(
        id, stated == null ? model : stated, new ModelCall.Parameters(parameters), meta);
    session.derive(call, step);
    return id;
  }

  /** The id of the model call of a step, which ATIF does not state. */
  private String id(SourceRecord step) {
    step.generate("ModelCall/id", "step-<step_id>, after the lane if there is one");
    String id = step.get("step_id") instanceof JsonNumber number ? "step-" + number : "step";
    return ids.unused(lane.agent() == null ? id : lane.agent() + "/" + id);
  }

  private void result(SourceRecord step, String id, JsonObject answer, Meta meta)
      throws IOException {
    step.move("ModelResult/answer/content", "message");
    step.move("ModelResult/answer/reasoning_content", "reasoning_content");
    step.derive("ModelResult/" + Names.TOKENS_IN, "metrics", "prompt_tokens");
    step.derive("ModelResult/" + Names.TOKENS_OUT, "metrics", "completion_tokens");
    TokenCounts tokens =
        new TokenCounts(tokens(step, "prompt_tokens"), tokens(step, "completion_tokens"));
    Meta resultMeta = meta;
    if (step.get("metrics") instanceof JsonObject metrics) {
      step.move("ModelResult/" + Names.TOKEN_DETAILS, "metrics");
      resultMeta = meta.withExtra(JsonObject.of(Names.TOKEN_DETAILS, metrics));
    }
    session.emit(
        new ModelResult(id, Content.of(answer), Completion.NONE, tokens, Timing.NONE, resultMeta),
        step);
  }

  private static @Nullable Long tokens(SourceRecord step, String name) {
    Long count = step.integer("metrics", name);
    return count == null || count < 0 ? null : count;
  }

  private void toolCall(SourceRecord call, Meta meta) throws IOException {
    String tool = call.text("function_name");
    if (tool == null) {
      session.fault(
          new SourceFault(Kind.CONTRADICTION, call.place(), "a tool call does not name its tool"));
      session.keep(call, meta);
      return;
    }
    String id = call.text(Names.TOOL_CALL_ID);
    if (id == null || id.isBlank()) {
      call.generate("ToolCall/id", "numbered");
      id = ids.unused("call");
    } else {
      call.move("ToolCall/id", Names.TOOL_CALL_ID);
    }
    call.move("ToolCall/tool", "function_name");
    JsonValue arguments = call.move("ToolCall/params", "arguments");
    session.emit(
        ToolCall.of(id, tool, arguments == null ? JsonObject.EMPTY : arguments).withMeta(meta),
        call);
  }

  /** Writes what the tools, or the environment, returned; before it the agents that it names. */
  private void results(List<SourceRecord> results, Meta meta) throws IOException {
    for (SourceRecord result : results) {
      String call = result.text(CALL);
      for (JsonValue reference : result.array("subagent_trajectory_ref")) {
        if (reference instanceof JsonObject object) {
          subagents.write(object, call, result.place());
        }
      }
      addResult(result.json());
      result.derive("ModelCall/prompt", "content");
      if (call == null || call.isBlank()) {
        session.keep(result, meta); // of no call, such as a summary
      } else {
        result.move("ToolResult/id", CALL);
        JsonValue content = result.move("ToolResult/output", "content");
        session.emit(ToolResult.of(call, content).withMeta(meta), result);
      }
    }
  }

  private void addResult(JsonObject result) {
    JsonValue content = result.get("content");
    if (content == null || content == JsonNull.NULL) {
      return;
    }
    JsonValue call = result.get(CALL);
    conversation.add(
        call instanceof JsonString
            ? JsonObject.of("content", content, "role", "tool", Names.TOOL_CALL_ID, call)
            : JsonObject.of("content", content, "role", "user"));
  }
}
