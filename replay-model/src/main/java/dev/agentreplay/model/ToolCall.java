package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A tool is called.
 *
 * @param id what its result refers to; real logs use one id for several calls, see
 *     {@link dev.agentreplay.model.check.CallPairing}
 * @param tool the name of the tool
 * @param params its parameters; null where a log was published without them
 * @param paramsHash the hash of the canonical form of {@code params}; null lets the writer say
 * @param stepId the step of the plan that it is part of
 * @param meta what every event has
 */
public record ToolCall(
    String id,
    String tool,
    @Nullable JsonValue params,
    @Nullable ContentHash paramsHash,
    @Nullable String stepId,
    Meta meta)
    implements ReplayEvent {

  /** Checks for null. */
  public ToolCall {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(tool, "tool");
    Objects.requireNonNull(meta, "meta");
  }

  /** A call; the writer computes its hash and time. */
  public static ToolCall of(String id, String tool, JsonValue params) {
    Objects.requireNonNull(params, "params");
    return new ToolCall(id, tool, params, null, null, Meta.NONE);
  }

  /** As part of a step. */
  public ToolCall withStepId(@Nullable String newStepId) {
    return new ToolCall(id, tool, params, paramsHash, newStepId, meta);
  }

  @Override
  public EventKind kind() {
    return EventKind.TOOL_CALL;
  }

  @Override
  public Content content() {
    return new Content(params, paramsHash, null, null);
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
    return new ToolCall(id, tool, params, paramsHash, stepId, newMeta);
  }
}
