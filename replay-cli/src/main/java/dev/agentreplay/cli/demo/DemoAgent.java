package dev.agentreplay.cli.demo;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.json.JsonObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A tiny agent: a loop that asks a model for the next step, runs it, and returns the result to the
 * model. The model is a few rules, so that the demonstration needs no network; it decides by what
 * the tools return, as a real one does. The same loop is recorded and replayed.
 */
public final class DemoAgent implements ReplayAgent {

  /** The text that the agent searches for. */
  public static final String SEARCHED = "$1 * $2";

  private static final String TEST = "sh test.sh";
  private static final String BUG = " - 1 ))";

  private final ToolExecutor tools;
  private final String searched;
  private boolean testPassed;

  public DemoAgent(ToolExecutor tools, String searched) {
    this.tools = tools;
    this.searched = searched;
  }

  @Override
  public void run(AgentScope scope) throws Exception {
    ToolCall call = call("read_file", JsonObject.of("path", "README.md"));
    while (call != null) {
      call = decide(call, scope.execute(call, tools));
    }
    scope.emit(Verification.of(CommandRun.of(TEST, testPassed ? 0 : 1)).withDelta(1L));
    scope.end(SessionEnd.of(testPassed ? Status.SUCCESS : Status.FAILED).withConfidence(0.9));
  }

  private static ToolCall call(String tool, JsonObject params) {
    return ToolCall.of("", tool, params); // the scope generates the id
  }

  private @Nullable ToolCall decide(ToolCall last, ToolResult result) {
    String output = Objects.requireNonNull(result.output().value()).asString();
    return switch (last.tool()) {
      case "read_file" -> output.contains(BUG) ? fix() : test();
      case "shell" -> result.succeeded() ? note() : search();
      case "search" ->
        output.contains(BUG) ? fix() : call("read_file", JsonObject.of("path", output.strip()));
      case "edit_file" -> test();
      default -> null;
    };
  }

  private static ToolCall test() {
    return call("shell", JsonObject.of("command", TEST));
  }

  private ToolCall search() {
    return call("search", JsonObject.of("text", searched));
  }

  private static ToolCall fix() {
    return call("edit_file", JsonObject.of("path", "price.sh", "old", BUG, "new", " ))"));
  }

  private ToolCall note() {
    testPassed = true;
    return call(
        "write_file",
        JsonObject.of("path", "CHANGES.md", "content", "price.sh: no longer one too low\n"));
  }
}
