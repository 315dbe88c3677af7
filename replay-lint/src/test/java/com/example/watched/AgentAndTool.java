package com.example.watched;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import java.util.UUID;

/** Is an agent, and its tool. */
public final class AgentAndTool implements ReplayAgent, ToolExecutor {

  @Override
  public void run(AgentScope scope) throws Exception {
    scope.run("time", System.nanoTime() > 0 ? "a" : "b", () -> "done");
    scope.execute(ToolCall.of("", "id", JsonObject.EMPTY), this);
  }

  @Override
  public ToolResult execute(ToolCall call) {
    return ToolResult.of(call.id(), id());
  }

  private static String id() {
    return UUID.randomUUID().toString();
  }
}
