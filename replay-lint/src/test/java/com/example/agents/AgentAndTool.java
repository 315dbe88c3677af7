package com.example.agents;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;

/** Is an agent, and its tool. */
public final class AgentAndTool extends AbstractTool implements ReplayAgent, ToolExecutor {

  @Override
  public void run(AgentScope scope) throws Exception {
    // FOUND clock System.currentTimeMillis
    scope.ask("m", "It is " + System.currentTimeMillis());
    scope.execute(ToolCall.of("", "time", JsonObject.EMPTY), this);
  }
}

/** Has the code of a tool, and is none itself. */
abstract class AbstractTool {
  public ToolResult execute(ToolCall call) throws Exception {
    return ToolResult.of(call.id(), "" + System.nanoTime());
  }
}
