package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A call of a tool.
 *
 * @param id the id that its result refers to; real logs use one id for several calls, see
 *     {@link dev.agentreplay.model.check.CallPairing}
 * @param tool the name of the tool
 * @param params the parameters; a log that was published without them has their hash only
 * @param stepId the id of the step of the plan that the call is part of
 * @param attempt the attempt to cause an effect, if the call has one
 * @param meta the data common to all events
 */
public record ToolCall(
    String id, String tool, Content params, @Nullable String stepId, Attempt attempt, Meta meta)
    implements ReplayEvent {

  /** Checks for null. */
  public ToolCall {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(tool, "tool");
    Objects.requireNonNull(params, "params");
    Objects.requireNonNull(attempt, "attempt");
    Objects.requireNonNull(meta, "meta");
  }

  /** Creates a call; the writer computes the hash of its parameters and sets its time. */
  public static ToolCall of(String id, String tool, JsonValue params) {
    return new ToolCall(id, tool, Content.of(params), null, Attempt.NONE, Meta.NONE);
  }

  /** Returns a copy with the given parameters. */
  public ToolCall withParams(Content newParams) {
    return new ToolCall(id, tool, newParams, stepId, attempt, meta);
  }

  /** Returns a copy with the given id of a step. */
  public ToolCall withStepId(@Nullable String newStepId) {
    return new ToolCall(id, tool, params, newStepId, attempt, meta);
  }

  /** Returns a copy with the given attempt. */
  public ToolCall withAttempt(Attempt newAttempt) {
    return new ToolCall(id, tool, params, stepId, newAttempt, meta);
  }

  @Override
  public EventKind kind() {
    return EventKind.TOOL_CALL;
  }

  @Override
  public Content content() {
    return params;
  }

  @Override
  public String callId() {
    return id;
  }

  @Override
  public String name() {
    return tool;
  }

  @Override
  public ToolCall withMeta(Meta newMeta) {
    return new ToolCall(id, tool, params, stepId, attempt, newMeta);
  }
}
