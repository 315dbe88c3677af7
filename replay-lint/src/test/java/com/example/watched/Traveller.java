package com.example.watched;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;

/** Calls outside and inside of tools. */
public final class Traveller implements ReplayAgent {

  private final long created = System.nanoTime();
  private final ToolExecutor tool = new Tool();

  private static final class Tool implements ToolExecutor {
    @Override
    public ToolResult execute(ToolCall call) {
      return ToolResult.of(call.id(), text());
    }

    private static String text() {
      return Instant.now() + " " + Math.random();
    }
  }

  @Override
  public void run(AgentScope scope) throws Exception {
    scope.run("time", null, () -> System.currentTimeMillis());
    scope.execute(ToolCall.of("", "class", JsonObject.EMPTY), tool);
    scope.execute(
        ToolCall.of("", "lambda", JsonObject.EMPTY),
        call -> ToolResult.of(call.id(), UUID.randomUUID().toString()));
    double number = new Random(created > 0 ? 7 : 8).nextDouble() + new Random().nextDouble() * 0;
    for (int i = 0; i < 2; i++) {
      number += UUID.randomUUID().version() + (i > 0 ? Math.random() * 0 : 0);
    }
    scope.run("number", number, () -> "done");
  }
}
