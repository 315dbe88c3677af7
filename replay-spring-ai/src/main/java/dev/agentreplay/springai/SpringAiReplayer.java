package dev.agentreplay.springai;

import dev.agentreplay.engine.replay.AgentScope;

/** Replays calls of chat clients, models and tools. Safe for use by several threads. */
public final class SpringAiReplayer implements CallDestination {

  private SpringAiReplayer() {}

  /** Creates a replayer of a session of one call, whose end is that of the session. */
  public static SpringAiReplayer of(AgentScope scope) {
    return new SpringAiReplayer();
  }

  /** Creates a replayer of a session of several calls; the agent states the end. */
  public static SpringAiReplayer ofShared(AgentScope scope) {
    return new SpringAiReplayer();
  }
}
