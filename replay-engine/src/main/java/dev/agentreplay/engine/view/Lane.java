package dev.agentreplay.engine.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The calls of one agent of a session. Immutable. */
public final class Lane {

  private final @Nullable String agent;
  private final @Nullable String parentId;
  private final @Nullable RecordedToolCall parent;
  private final List<RecordedToolCall> calls;
  private final List<RecordedModelCall> modelCalls;
  private final List<Turn> turns;

  Lane(
      @Nullable String agent,
      @Nullable String parentId,
      @Nullable RecordedToolCall parent,
      List<RecordedToolCall> calls,
      List<RecordedModelCall> modelCalls,
      List<Turn> turns) {
    this.agent = agent;
    this.parentId = parentId;
    this.parent = parent;
    this.calls = List.copyOf(calls);
    this.modelCalls = List.copyOf(modelCalls);
    this.turns = List.copyOf(turns);
  }

  /** The id of the agent; null in the lane of the events that state none. */
  public @Nullable String agent() {
    return agent;
  }

  /** The id of the call of a tool or model that started the agent; null if none is stated. */
  public @Nullable String parentId() {
    return parentId;
  }

  /**
   * The tool call that started the agent: the last one with {@link #parentId} before the agent
   * first states it. Null if there is none, or a model call started the agent.
   */
  public @Nullable RecordedToolCall parent() {
    return parent;
  }

  /** The tool calls of the agent, in the order of the log. Unmodifiable. */
  public List<RecordedToolCall> calls() {
    return calls;
  }

  /** The model calls of the agent, in the order of the log. Unmodifiable. */
  public List<RecordedModelCall> modelCalls() {
    return modelCalls;
  }

  /** The turns of the agent, in the order of the log. Unmodifiable. */
  public List<Turn> turns() {
    return turns;
  }

  @Override
  public String toString() {
    return "%s: %d tool calls, %d model calls"
        .formatted(agent == null ? "no agent" : agent, calls.size(), modelCalls.size());
  }
}
