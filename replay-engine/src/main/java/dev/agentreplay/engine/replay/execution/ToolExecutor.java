package dev.agentreplay.engine.replay.execution;

import dev.agentreplay.io.recording.RecordedEvents;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Executes a tool. A replay calls it on a thread of its own, several calls at the same time if the
 * agent does so, and interrupts the thread if the call takes too long.
 */
@FunctionalInterface
public interface ToolExecutor {

  /**
   * Executes a call.
   *
   * @param call the call, with its parameters in full
   * @return the result, with the id of the call; the replay sets its latency unless it has one
   * @throws Exception if the tool failed; the agent gets the exception
   */
  ToolResult execute(ToolCall call) throws Exception;

  /** A function of the parameters of a tool. */
  @FunctionalInterface
  interface Function {

    /**
     * Returns the output of the tool, of any type; a part without a JSON form is recorded as a text
     * and marked.
     */
    @Nullable
    Object apply(JsonValue params) throws Exception;
  }

  /** Creates an executor of a function of the parameters; missing parameters are JSON null. */
  static ToolExecutor of(Function function) {
    Objects.requireNonNull(function, "function");
    return call -> {
      JsonValue params = call.params().value();
      return RecordedEvents.toolResult(
          call.id(), function.apply(params == null ? JsonNull.NULL : params));
    };
  }

  /** Creates an executor of a body that knows its parameters. */
  static ToolExecutor of(Callable<?> body) {
    Objects.requireNonNull(body, "body");
    return call -> RecordedEvents.toolResult(call.id(), body.call());
  }
}
