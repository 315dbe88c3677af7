package dev.agentreplay.engine.replay;

import dev.agentreplay.io.recording.AgentRecorder;
import org.jspecify.annotations.Nullable;

/**
 * The lane of an agent in a replay.
 *
 * @param agent the id of the agent; null for the main agent
 * @param recorder the recorder of its events; null for the main agent
 * @param onPlaced run when a call has its place in the order of calls
 */
record Lane(@Nullable String agent, @Nullable AgentRecorder recorder, Runnable onPlaced) {

  static final Lane MAIN = new Lane(null, null);

  Lane(@Nullable String agent, @Nullable AgentRecorder recorder) {
    this(agent, recorder, () -> {});
  }

  Lane withOnPlaced(Runnable action) {
    return new Lane(agent, recorder, action);
  }
}
