package dev.agentreplay.springai;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.annotation.Tool;

/** Tools as an agent has them, which keep a list of what was executed. */
final class Tools {

  private final Queue<String> executions = new ConcurrentLinkedQueue<>();

  /** The executions since the last call. */
  List<String> take() {
    List<String> taken = List.copyOf(executions);
    executions.clear();
    return taken;
  }

  @Tool(description = "reads a file")
  String read(String path) {
    executions.add("read " + path);
    return "content of " + path;
  }

  @Tool(description = "fails")
  String broken(String path) {
    executions.add("broken " + path);
    throw new IllegalStateException("cannot read " + path);
  }

  @Tool(description = "answers the caller", returnDirect = true)
  String direct(String path) {
    executions.add("direct " + path);
    return "directly " + path;
  }

  @Tool(description = "reads the context")
  String who(ToolContext context) {
    executions.add("who");
    return "user " + context.getContext().get("user");
  }
}
