package dev.agentreplay.io.recording;

import dev.agentreplay.model.Content;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.check.CallPairing;
import java.util.List;

/**
 * The calls without a result in a log that is resumed, up to a maximum of each kind. Not safe for
 * use by several threads.
 */
final class InterruptedCalls {

  /** The maximum number of calls of a kind, which are held in memory: the last ones are kept. */
  static final int MAX = 1_000;

  private final CallPairing<ToolCall> tools = new CallPairing<>(MAX);
  private final CallPairing<ModelCall> models = new CallPairing<>(MAX);

  /** Adds an event of the log. */
  void add(ReplayEvent event) {
    String agent = event.meta().agent();
    if (event instanceof ToolCall call) {
      tools.call(call.id(), agent, call);
    } else if (event instanceof ToolResult result) {
      tools.result(result.id(), agent);
    } else if (event instanceof ModelCall call) {
      models.call(call.id(), agent, call.withPrompt(Content.NONE)); // which may be large
    } else if (event instanceof ModelResult result) {
      models.result(result.id(), agent);
    }
  }

  /** The calls of tools without a result, in order. */
  List<ToolCall> tools() {
    return tools.open();
  }

  /** The calls of models without a result, in order, without their prompts. */
  List<ModelCall> models() {
    return models.open();
  }
}
