package com.example.agents;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** Takes everything from its context, its scope and its tools. */
public final class Clean implements ReplayAgent {

  private static final class Reader implements ToolExecutor {
    @Override
    public ToolResult execute(ToolCall call) throws Exception {
      return ToolResult.of(call.id(), Files.readString(Path.of("a.txt")) + System.nanoTime());
    }
  }

  private final ToolExecutor tools = new Reader();

  @Override
  public void run(AgentScope scope) throws Exception {
    Instant now = scope.context().clock().instant();
    scope.execute(ToolCall.of("", "read", JsonObject.of("path", "a.txt")), tools);
    scope.execute(
        ToolCall.of("", "time", JsonObject.EMPTY),
        call -> ToolResult.of(call.id(), Instant.now().toString()));
    scope.run("write", Map.of("path", "a", "text", "b"), () -> {
      Files.writeString(Path.of("a"), "b");
      return Files.size(Path.of("a"));
    });
    scope.ask("m", "It is " + now + " " + scope.context().ulid());
    record(null);
  }

  private static void record(SessionRecorder session) throws Exception {
    Duration delay = session.context().delay(0, Duration.ofMillis(100), Duration.ofSeconds(5));
    session.run("wait", Map.of("millis", delay.toMillis()), () -> System.currentTimeMillis());
  }

  /** Is not reached. */
  public static void main(String[] args) throws Exception {
    System.out.println(Instant.now() + " " + Files.exists(Path.of("a")));
  }
}
