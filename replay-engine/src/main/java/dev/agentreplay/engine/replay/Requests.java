package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.replay.failure.RestoredExceptions;
import dev.agentreplay.io.recording.RecordedEvents;
import dev.agentreplay.model.Attempt;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.StreamedText;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonValue;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates requests of an agent, and reads their results. */
final class Requests {

  /** The id of a call whose id is generated. */
  private static final String GENERATED = "";

  /** The kinds of events that a recorder writes, or that belong to an exchange. */
  private static final Set<EventKind> NOT_STATED = EnumSet.of(
      EventKind.REPLAY_HEADER,
      EventKind.SESSION_START,
      EventKind.TOOL_CALL,
      EventKind.TOOL_RESULT,
      EventKind.MODEL_CALL,
      EventKind.MODEL_RESULT,
      EventKind.RECORDED_VALUE,
      EventKind.RECORDING_GAP,
      EventKind.CHECKPOINT,
      EventKind.LOG_SEGMENT,
      EventKind.SESSION_END);

  private Requests() {}

  /** The tool or the model of a call; empty for a model call that states none. */
  static String name(ReplayEvent call) {
    String name = call.name();
    return name == null ? "" : name;
  }

  /** The kind and the name of a call. */
  static String kindAndName(ReplayEvent call) {
    return (call instanceof ToolCall ? "tool " : "model ") + name(call);
  }

  /**
   * Fails if an event is not one that an agent states: a call that is emitted was not requested.
   *
   * @throws IllegalArgumentException if the event is a call, a result, or of the recorder
   */
  static void requireStated(ReplayEvent event) {
    if (NOT_STATED.contains(event.kind())) {
      throw new IllegalArgumentException("%s is recorded by a call, or by end(), not by emit()"
          .formatted(event.kind().id()));
    }
  }

  /** A call of a tool without parameters. */
  static ToolCall tool(String tool) {
    return new ToolCall(GENERATED, tool, Content.NONE, null, Attempt.NONE, Meta.NONE);
  }

  /** A call of a model without a prompt. */
  static ModelCall model(String model) {
    return new ModelCall(GENERATED, model, Content.NONE, Parameters.NONE, Meta.NONE);
  }

  static ToolCall tool(String tool, @Nullable Object params) {
    return RecordedEvents.toolCall(GENERATED, tool, params);
  }

  static ModelCall model(String model, Object prompt, @Nullable Object parameters) {
    return RecordedEvents.modelCall(GENERATED, model, prompt, parameters);
  }

  /**
   * The output of a call.
   *
   * @throws Exception the exception of its failure, if it failed
   */
  static JsonValue output(ToolResult result) throws Exception {
    Outcome outcome = result.outcome();
    if (outcome.error() != null && !outcome.succeeded()) {
      throw RestoredExceptions.ofJdk().restore(outcome.error());
    }
    JsonValue output = result.output().value();
    return output == null ? JsonNull.NULL : output;
  }

  /**
   * The result of a model.
   *
   * @throws Exception the exception of its failure, if it failed
   */
  static ModelResult succeeded(ModelResult result) throws Exception {
    Failure error = result.finish().error();
    if (error != null) {
      throw RestoredExceptions.ofJdk().restore(error);
    }
    return result;
  }

  /** The call with an id, and without what a recorder adds. */
  static ReplayEvent withId(ReplayEvent call, String id, Meta meta) {
    if (call instanceof ToolCall tool) {
      return new ToolCall(id, tool.tool(), tool.params(), tool.stepId(), tool.attempt(), meta);
    }
    ModelCall model = (ModelCall) call;
    return new ModelCall(id, model.model(), model.prompt(), model.parameters(), meta);
  }

  /** The call with a generated id; that of a tool keeps the id that the agent gave. */
  static ReplayEvent withNewId(ReplayEvent call, String id, Meta meta) {
    boolean isRenamed = call instanceof ToolCall tool && !tool.id().isBlank();
    return withId(
        call,
        id,
        isRenamed
            ? meta.withExtra(meta.extra().with(Names.TOOL_CALL_ID, String.valueOf(call.callId())))
            : meta);
  }

  /** The result with the id of its call, and a value as its content. */
  static ReplayEvent result(ReplayEvent result, String id, @Nullable JsonValue value, Meta meta) {
    Content content = value == null ? Content.NONE : Content.of(value);
    if (result instanceof ToolResult tool) {
      return new ToolResult(
          id, content, tool.outcome(), tool.stepUtility(), tool.timing(), tool.sideEffects(), meta);
    }
    ModelResult model = (ModelResult) result;
    return new ModelResult(id, content, model.finish(), model.tokens(), model.timing(), meta);
  }

  /**
   * The result of a call that failed, as a recorder records it.
   *
   * @param stream the part that was streamed before, which is finished
   */
  static ReplayEvent failed(
      ReplayEvent call,
      String id,
      Outcome outcome,
      String message,
      long latencyMillis,
      StreamedText stream) {
    String part = stream.finish() ? stream.text() : null;
    Timing timing = new Timing(latencyMillis, stream.chunks());
    if (call instanceof ToolCall) {
      return RecordedEvents.toolResult(id, part == null ? message : part)
          .withOutcome(outcome)
          .withTiming(timing);
    }
    Failure error = outcome.error() == null ? Failure.of("Error", message) : outcome.error();
    return RecordedEvents.modelResult(id, part)
        .withFinish(ModelResult.Completion.failed(error))
        .withTiming(timing);
  }
}
