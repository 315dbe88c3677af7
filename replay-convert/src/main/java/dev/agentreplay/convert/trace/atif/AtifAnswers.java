package dev.agentreplay.convert.trace.atif;

import dev.agentreplay.convert.trace.export.ChatMessage;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Timing;
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

/** Writes the answers of the model in one trajectory: for each a call and its result. */
final class AtifAnswers {

  private final AtifContext context;
  private final TraceSession session;
  private final @Nullable KeptEvents kept;
  private final OtherEvents others;
  private final Meta lane;
  private final @Nullable String model;

  /**
   * Creates a writer.
   *
   * @param model the model of the answers that do not state theirs
   */
  AtifAnswers(AtifContext context, OtherEvents others, Meta lane, @Nullable String model) {
    this.context = context;
    this.session = context.session();
    this.kept = context.kept();
    this.others = others;
    this.lane = lane;
    this.model = model;
  }

  /** Whether a step is an answer of a model that was given in this run. */
  static boolean isModelCall(SourceRecord step) {
    boolean isDispatched =
        step.get("llm_call_count") instanceof JsonNumber count && count.text().equals("0");
    return "agent".equals(step.text("source")) && !isDispatched && !step.isTrue(AtifSteps.COPIED);
  }

  /** Whether a step is such an answer; that of an exported session states its call. */
  boolean isAnswer(SourceRecord step) {
    return isModelCall(step) && (kept == null || KeptEvents.has(step, EventKind.MODEL_CALL));
  }

  /** The message of a step; null, as a value, if there is none. */
  static JsonValue message(SourceRecord step) {
    JsonValue message = step.get("message");
    return message == null ? JsonNull.NULL : message;
  }

  /** The answer of a step as a message, in the form that most providers take. */
  static JsonObject answer(SourceRecord step) {
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
  String call(SourceRecord step, Meta meta) throws IOException {
    String stated = step.text("model_name");
    if (stated != null) {
      step.move("ModelCall/model", "model_name");
    }
    ReplayEvent restored = restoredCall(step, stated, meta);
    if (restored instanceof ModelCall call) {
      context.restoredCalls().add(call.id());
      session.derive(call, step);
      return call.id();
    }
    JsonObject parameters = JsonObject.EMPTY;
    JsonValue effort = step.get("reasoning_effort");
    if (effort != null && effort != JsonNull.NULL) {
      step.move("ModelCall/parameters/reasoning_effort", "reasoning_effort");
      parameters = JsonObject.of("reasoning_effort", effort);
    }
    String id = id(step);
    ModelCall call = session
        .conversation(lane.agent())
        .call(id, stated == null ? model : stated, new ModelCall.Parameters(parameters), meta);
    session.derive(call, step);
    return id;
  }

  /** The call as it was before it was exported; null if its prompt cannot be restored. */
  private @Nullable ReplayEvent restoredCall(
      SourceRecord step, @Nullable String stated, Meta meta) {
    String base = KeptEvents.base(step);
    return kept == null || (base != null && !context.restoredCalls().contains(base))
        ? null
        : kept.take(step, EventKind.MODEL_CALL, kept.known(meta, "model", stated));
  }

  /** The id of the model call of a step, which ATIF does not state. */
  private String id(SourceRecord step) {
    String stated = kept == null ? null : KeptEvents.callId(step);
    if (stated != null) {
      return stated;
    }
    step.generate("ModelCall/id", "step-<step_id>, after the lane if there is one");
    String id = step.get("step_id") instanceof JsonNumber number ? "step-" + number : "step";
    return context.ids().unused(lane.agent() == null ? id : lane.agent() + "/" + id);
  }

  /** Writes the answer. */
  void result(SourceRecord step, String id, JsonObject answer, Meta meta) throws IOException {
    if (kept != null) {
      restoreResult(kept, step, id, answer, meta);
      return;
    }
    step.move("ModelResult/answer/content", "message");
    step.move("ModelResult/answer/reasoning_content", "reasoning_content");
    step.derive("ModelResult/" + Names.TOKENS_IN, "metrics", "prompt_tokens");
    step.derive("ModelResult/" + Names.TOKENS_OUT, "metrics", "completion_tokens");
    TokenCounts tokens = new TokenCounts(
        step.count("metrics", "prompt_tokens"), step.count("metrics", "completion_tokens"));
    Meta resultMeta = meta;
    if (step.get("metrics") instanceof JsonObject metrics) {
      step.move("ModelResult/" + Names.TOKEN_DETAILS, "metrics");
      resultMeta = meta.withExtra(JsonObject.of(Names.TOKEN_DETAILS, metrics));
    }
    session.emit(
        new ModelResult(id, Content.of(answer), Completion.NONE, tokens, Timing.NONE, resultMeta),
        step);
  }

  /** Writes the answer as it was before it was exported; nothing if there was none. */
  private void restoreResult(
      KeptEvents kept, SourceRecord step, String id, JsonObject answer, Meta meta)
      throws IOException {
    ReplayEvent restored = null;
    if (KeptEvents.has(step, EventKind.MODEL_RESULT)) {
      Object in = step.move("ModelResult/tokens_in", "metrics", "prompt_tokens");
      Object out = step.move("ModelResult/tokens_out", "metrics", "completion_tokens");
      JsonObject known = kept.known(
          meta,
          "answer",
          KeptEvents.hasAnswer(step) ? answer.without(Names.TOOL_CALLS) : null,
          "id",
          id,
          Names.TOKENS_IN,
          in,
          Names.TOKENS_OUT,
          out);
      restored = kept.take(step, EventKind.MODEL_RESULT, known);
    }
    if (restored == null) {
      session.keep(step, meta);
    } else {
      dropRestored(step, restored);
      others.writeBefore(restored);
      session.emit(restored, step);
    }
  }

  /**
   * Drops the text and the reasoning of a step if the restored answer has them; what was changed
   * since the export is kept, and reported.
   */
  private void dropRestored(SourceRecord step, ReplayEvent restored) {
    JsonValue answer = restored.content().value();
    if (answer == null) {
      return;
    }
    ChatMessage exported = ChatMessage.of(answer, "assistant");
    dropRestored(step, "message", exported.text());
    dropRestored(step, "reasoning_content", exported.reasoning());
  }

  private void dropRestored(SourceRecord step, String name, @Nullable String exported) {
    JsonValue value = step.get(name);
    if (value instanceof JsonString text && !text.value().equals(exported)) {
      session.fault(new SourceFault(
          SourceFault.Kind.CONTRADICTION,
          step.place(),
          name + " differs from the answer that was exported"));
    } else if (value != null) {
      step.drop("the answer is restored", name);
    }
  }
}
