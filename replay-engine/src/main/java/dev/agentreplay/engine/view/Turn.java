package dev.agentreplay.engine.view;

import java.util.List;

/**
 * One turn of an agent: a model call, and the tool calls of its lane that follow it, up to the next
 * turn. A model call that failed starts no turn, because agents repeat it. Immutable.
 */
public final class Turn {

  private final RecordedModelCall modelCall;
  private final List<RecordedToolCall> calls;

  Turn(RecordedModelCall modelCall, List<RecordedToolCall> calls) {
    this.modelCall = modelCall;
    this.calls = List.copyOf(calls);
  }

  /** The model call. */
  public RecordedModelCall modelCall() {
    return modelCall;
  }

  /** The tool calls, in the order of the log. Unmodifiable. */
  public List<RecordedToolCall> calls() {
    return calls;
  }

  @Override
  public String toString() {
    return "%s, %d tool calls".formatted(modelCall, calls.size());
  }
}
