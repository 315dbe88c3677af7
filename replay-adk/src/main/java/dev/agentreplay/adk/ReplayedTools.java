package dev.agentreplay.adk;

import com.google.adk.agents.InvocationContext;
import com.google.adk.agents.LlmAgent;
import com.google.adk.plugins.Plugin;
import com.google.adk.tools.BaseTool;
import com.google.adk.tools.ToolContext;
import dev.agentreplay.adk.AgentLanes.Lane;
import dev.agentreplay.engine.replay.agent.Execution;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Notification;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Issues the tool calls of a replay. */
final class ReplayedTools {

  private final AdkReplayer replayer;
  private final Plugin plugin;

  ReplayedTools(AdkReplayer replayer, Plugin plugin) {
    this.replayer = replayer;
    this.plugin = plugin;
  }

  /**
   * Issues the call of a tool, and waits for its result.
   *
   * @return the result; empty for a tool without one, as the kit takes it
   * @throws Exception the exception of the tool, also if recorded, or that of the replay
   */
  Map<String, Object> call(
      BaseTool tool, Map<String, Object> arguments, ToolContext context, Lane lane)
      throws Exception {
    ToolCall call = ToolForms.call(tool.name(), arguments, context, lane);
    String target = ToolForms.transfer(tool.name(), arguments);
    if (target != null && !call.id().isBlank()) {
      replayer.lanes().transferred(context.invocationId(), target, call.id());
    }
    AtomicReference<@Nullable Execution<Map<String, Object>>> executed = new AtomicReference<>();
    ToolResult result = replayer.scope(lane).execute(call, issued -> {
      Execution<Map<String, Object>> execution =
          execute(issued.id(), tool, arguments, context, lane);
      executed.set(execution);
      return (ToolResult) execution.event();
    });
    Execution<Map<String, Object>> execution = Execution.ifAnswer(executed.get(), result);
    Throwable thrown = execution == null ? ToolForms.thrown(result) : execution.thrown();
    if (executed.get() == null) {
      ToolForms.repeatActions(result, call, context, !replayer.facts().isImported());
    }
    if (thrown instanceof Exception exception) {
      throw exception;
    } else if (thrown instanceof Error error) {
      throw error;
    }
    if (execution == null) {
      return ToolForms.output(result);
    }
    Map<String, Object> value = execution.value();
    return value == null ? Map.of() : value;
  }

  private Execution<Map<String, Object>> execute(
      String id, BaseTool tool, Map<String, Object> arguments, ToolContext context, Lane lane) {
    replayer.agentTools().add(replayer, id, context, tool, arguments);
    try {
      Notification<Map<String, Object>> end = skippedBefore(tool, arguments, context)
          .switchIfEmpty(Maybe.defer(() -> tool.runAsync(arguments, context).toMaybe())
              .onErrorResumeNext(e -> Maybe.error(asThrownByTheKit(tool, e))))
          .materialize()
          .blockingGet();
      Throwable error = end.getError();
      if (error != null) {
        return failed(id, error, context, lane);
      }
      Map<String, Object> output = end.getValue();
      return new Execution<>(ToolForms.result(id, output, context, lane), output, null);
    } catch (RuntimeException e) { // such as an interrupt
      return failed(id, e, context, lane);
    } finally {
      replayer.agentTools().remove(context);
    }
  }

  private static Execution<Map<String, Object>> failed(
      String id, Throwable error, ToolContext context, Lane lane) {
    return new Execution<>(ToolForms.failed(id, error, context, lane), null, error);
  }

  private static RuntimeException asThrownByTheKit(BaseTool tool, Throwable error) {
    return error instanceof RuntimeException exception
        ? exception
        : new RuntimeException("Failed to call tool: " + tool.name(), error);
  }

  /** Calls the callbacks that the kit does not call, because the plugin answers. */
  private Maybe<Map<String, Object>> skippedBefore(
      BaseTool tool, Map<String, Object> arguments, ToolContext context) {
    InvocationContext invocation = context.invocationContext();
    List<Supplier<Maybe<Map<String, Object>>>> callbacks = new ArrayList<>();
    for (Plugin each : ReplayerPlugin.later(plugin, invocation)) {
      callbacks.add(() -> each.beforeToolCallback(tool, arguments, context));
    }
    if (invocation.agent() instanceof LlmAgent agent) {
      agent
          .canonicalBeforeToolCallbacks()
          .forEach(
              callback -> callbacks.add(() -> callback.call(invocation, tool, arguments, context)));
    }
    return ReplayerPlugin.first(callbacks);
  }
}
