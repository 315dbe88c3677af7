package dev.agentreplay.engine.replay;

import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;

/** The names of calls in messages. */
final class RequestNames {

  private RequestNames() {}

  /** The tool or the model; empty for a model call that states none. */
  static String of(ReplayEvent call) {
    String name = call.name();
    return name == null ? "" : name;
  }

  /** The kind and the name of a call. */
  static String withKind(ReplayEvent call) {
    return (call instanceof ToolCall ? "tool " : "model ") + of(call);
  }
}
