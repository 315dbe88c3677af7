package dev.agentreplay.adk;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.google.adk.JsonBaseModel;
import com.google.adk.agents.BaseAgent;
import com.google.adk.agents.InvocationContext;
import com.google.adk.plugins.Plugin;
import com.google.adk.plugins.PluginManager;
import com.google.adk.tools.AgentTool;
import com.google.adk.tools.BaseTool;
import com.google.adk.tools.ToolContext;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The open calls of tools that are agents. The kit runs such an agent as an invocation of its own,
 * which does not refer to the call: its call is one of the same agent and request, in a run with
 * the plugins that the invocation includes. Of several such calls, the first one with the same
 * state is taken. Safe for use by several threads.
 */
final class AgentToolCalls<R> {

  /**
   * A call.
   *
   * @param run the run of the agent that calls the tool
   * @param id the id of the call; null if it was not recorded
   * @param context the context of the call, which must become unreachable with a cancelled run
   * @param requests the texts of which the kit passes one to the agent
   */
  record Call<R>(
      R run,
      @Nullable String id,
      WeakReference<ToolContext> context,
      BaseAgent agent,
      Set<String> requests) {}

  /** The user of the invocations that tools start. */
  private static final String USER = "tmp-user";

  private final List<Call<R>> calls = new ArrayList<>();

  /**
   * Adds a call, unless its tool is not an agent.
   *
   * @param context the context of the call, by which it is removed
   */
  void add(
      R run,
      @Nullable String id,
      ToolContext context,
      BaseTool tool,
      Map<String, Object> arguments) {
    if (tool instanceof AgentTool agent) {
      Call<R> call =
          new Call<>(run, id, new WeakReference<>(context), agent.getAgent(), requests(arguments));
      synchronized (calls) {
        calls.removeIf(other -> other.context().get() == null);
        calls.add(call);
      }
    }
  }

  private static Set<String> requests(Map<String, Object> arguments) {
    String request = String.valueOf(arguments.get("request"));
    try { // of an agent with an input schema
      String all = JsonBaseModel.getMapper().writeValueAsString(arguments);
      return all.equals(request) ? Set.of(all) : Set.of(request, all);
    } catch (JsonProcessingException e) {
      return Set.of(request);
    }
  }

  /** Takes the call that has started an invocation; null if none has. */
  @Nullable
  Call<R> take(InvocationContext invocation) {
    if (!USER.equals(invocation.userId())
        || !(invocation.pluginManager() instanceof PluginManager plugins)) {
      return null;
    }
    String request = invocation.userContent().map(SessionForms::text).orElse("");
    Map<String, Object> state = Map.copyOf(invocation.session().state());
    synchronized (calls) {
      Call<R> found = null;
      int best = -1;
      for (Call<R> call : calls) {
        ToolContext context = call.context().get();
        if (context != null && isStarted(invocation, plugins, call, context)) {
          int likeness =
              (call.requests().contains(request) ? 2 : 0) + (state.equals(context.state()) ? 1 : 0);
          if (likeness > best) {
            found = call;
            best = likeness;
          }
        }
      }
      if (found != null) {
        calls.remove(found);
      }
      return found;
    }
  }

  /** Whether a call may have started an invocation: it includes the plugins of the call's run. */
  @SuppressWarnings("ReferenceEquality") // an agent and a manager are the same objects
  private static boolean isStarted(
      InvocationContext invocation, PluginManager plugins, Call<?> call, ToolContext context) {
    Plugin included = context.invocationContext().pluginManager();
    return call.agent() == invocation.agent()
        && plugins.getPlugins().stream().anyMatch(plugin -> plugin == included);
  }

  /** Removes a call that has ended. */
  @SuppressWarnings("ReferenceEquality") // a context is the same object
  void remove(ToolContext context) {
    synchronized (calls) {
      calls.removeIf(call -> call.context().get() == context);
    }
  }

  /** Removes the calls of a run that has ended. */
  void removeAll(R run) {
    synchronized (calls) {
      calls.removeIf(call -> call.run().equals(run));
    }
  }
}
