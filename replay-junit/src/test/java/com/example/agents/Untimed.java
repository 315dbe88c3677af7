package com.example.agents;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the clock of its context, and files in a tool. */
public final class Untimed implements ReplayAgent {

  @Override
  public void run(AgentScope scope) throws Exception {
    scope.run("read", "a.txt", () -> Files.readString(Path.of("a.txt")));
    scope.ask("m", "It is " + scope.context().clock().instant());
  }
}
