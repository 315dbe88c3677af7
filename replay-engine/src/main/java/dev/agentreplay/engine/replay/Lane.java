package dev.agentreplay.engine.replay;

import dev.agentreplay.io.recording.AgentRecorder;
import org.jspecify.annotations.Nullable;

/**
 * The lane of an agent in a replay.
 *
 * @param agent the id of the agent; null for the main agent
 * @param recorder the recorder of its events; null for the main agent
 */
record Lane(@Nullable String agent, @Nullable AgentRecorder recorder) {

  static final Lane MAIN = new Lane(null, null);
}
