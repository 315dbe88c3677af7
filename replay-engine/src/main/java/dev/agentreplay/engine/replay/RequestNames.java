package dev.agentreplay.engine.replay;

import dev.agentreplay.model.ReplayEvent;

/** The names of calls in messages. */
final class RequestNames {

  private RequestNames() {}

  /** The tool or the model; empty for a model call that states none. */
  static String of(ReplayEvent call) {
    String name = call.name();
    return name == null ? "" : name;
  }
}
