package dev.agentreplay.adk;

import com.google.adk.agents.BaseAgent;
import com.google.adk.agents.CallbackContext;
import com.google.adk.agents.InvocationContext;
import com.google.adk.agents.LlmAgent;
import com.google.adk.events.Event;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.adk.plugins.BasePlugin;
import com.google.adk.plugins.Plugin;
import com.google.adk.tools.BaseTool;
import com.google.adk.tools.ToolContext;
import com.google.genai.types.Content;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Maybe;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Passes the callbacks of the kit to a recorder, and answers nothing. */
final class RecorderPlugin extends BasePlugin {

  private final AdkRecorder recorder;

  RecorderPlugin(AdkRecorder recorder) {
    super("agent_replay_recorder");
    this.recorder = recorder;
  }

  @Override
  public Maybe<Content> onUserMessageCallback(InvocationContext invocation, Content message) {
    recorder.guarded("SessionStart", invocation, run -> {});
    return Maybe.empty();
  }

  @Override
  public Maybe<Content> beforeRunCallback(InvocationContext invocation) {
    recorder.guarded("SessionStart", invocation, run -> {});
    return Maybe.empty();
  }

  @Override
  public Maybe<Event> onEventCallback(InvocationContext invocation, Event event) {
    recorder.guarded("RuntimeEvent", invocation, run -> run.event(invocation, event));
    return Maybe.empty();
  }

  @Override
  public Completable afterRunCallback(InvocationContext invocation) {
    recorder.ended(invocation, null);
    return Completable.complete();
  }

  @Override
  public Completable onRunErrorCallback(InvocationContext invocation, Throwable error) {
    recorder.ended(invocation, error);
    return Completable.complete();
  }

  @Override
  public Maybe<Content> afterAgentCallback(BaseAgent agent, CallbackContext context) {
    InvocationContext invocation = context.invocationContext();
    recorder.guarded("ModelResult", invocation, run -> run.agentEnded(context));
    return Maybe.empty();
  }

  @Override
  public Maybe<LlmResponse> beforeModelCallback(
      CallbackContext context, LlmRequest.Builder request) {
    InvocationContext invocation = context.invocationContext();
    recorder.guarded(
        "ModelCall", invocation, run -> run.beforeModel(context, request, isLast(invocation)));
    return Maybe.empty();
  }

  /** Whether no callback is called between this one and the model. */
  private boolean isLast(InvocationContext invocation) {
    List<Plugin> later = PluginOrder.after(this, invocation.pluginManager());
    return invocation.agent() instanceof LlmAgent agent
        && agent.canonicalBeforeModelCallbacks().isEmpty()
        && later != null
        && later.isEmpty();
  }

  @Override
  public Maybe<LlmResponse> afterModelCallback(CallbackContext context, LlmResponse response) {
    InvocationContext invocation = context.invocationContext();
    recorder.guarded("ModelResult", invocation, run -> run.afterModel(context, response));
    return Maybe.empty();
  }

  @Override
  public Maybe<LlmResponse> onModelErrorCallback(
      CallbackContext context, LlmRequest.Builder request, Throwable error) {
    InvocationContext invocation = context.invocationContext();
    recorder.guarded("ModelResult", invocation, run -> run.modelFailed(context, error));
    return Maybe.empty();
  }

  @Override
  public Maybe<Map<String, Object>> beforeToolCallback(
      BaseTool tool, Map<String, Object> arguments, ToolContext context) {
    InvocationContext invocation = context.invocationContext();
    recorder.guarded("ToolCall", invocation, run -> {
      String id = run.beforeTool(tool, arguments, context);
      recorder.agentTools().add(run, id, context, tool, arguments);
    });
    return Maybe.empty();
  }

  @Override
  public Maybe<Map<String, Object>> afterToolCallback(
      BaseTool tool,
      Map<String, Object> arguments,
      ToolContext context,
      @Nullable Map<String, Object> result) {
    InvocationContext invocation = context.invocationContext();
    recorder.guarded("ToolResult", invocation, run -> {
      recorder.agentTools().remove(context);
      run.afterTool(context, result);
    });
    return Maybe.empty();
  }

  @Override
  public Maybe<Map<String, Object>> onToolErrorCallback(
      BaseTool tool, Map<String, Object> arguments, ToolContext context, Throwable error) {
    InvocationContext invocation = context.invocationContext();
    recorder.guarded("ToolResult", invocation, run -> {
      recorder.agentTools().remove(context);
      run.toolFailed(context, error);
    });
    return Maybe.empty();
  }
}
