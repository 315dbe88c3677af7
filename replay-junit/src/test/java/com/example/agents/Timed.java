package com.example.agents;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;

/** Reads the clock of the system. */
public final class Timed implements ReplayAgent {

  @Override
  public void run(AgentScope scope) throws Exception {
    scope.ask("m", "It is " + now());
  }

  private static long now() {
    return System.currentTimeMillis();
  }
}
