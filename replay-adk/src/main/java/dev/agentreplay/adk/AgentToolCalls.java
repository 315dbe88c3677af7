package dev.agentreplay.adk;

import com.google.adk.agents.BaseAgent;
import com.google.adk.agents.InvocationContext;
import com.google.adk.tools.AgentTool;
import com.google.adk.tools.BaseTool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The open calls of tools that are agents. The kit runs such an agent as an invocation of its own,
 * which does not refer to the call. Safe for use by several threads.
 */
final class AgentToolCalls<R> {

  /**
   * A call.
   *
   * @param run the run of the agent that calls the tool
   * @param id the id of the call; null if it was not recorded
   */
  record Call<R>(R run, @Nullable String id, Object context, BaseAgent agent, String request) {}

  private final List<Call<R>> calls = new ArrayList<>();

  /**
   * Adds a call, unless its tool is not an agent.
   *
   * @param context the context of the call, by which it is removed
   */
  void add(
      R run, @Nullable String id, Object context, BaseTool tool, Map<String, Object> arguments) {
    if (tool instanceof AgentTool agent) {
      String request = String.valueOf(arguments.get("request"));
      synchronized (calls) {
        calls.add(new Call<>(run, id, context, agent.getAgent(), request));
      }
    }
  }

  /** Takes the call that has started an invocation; null if none has. */
  @SuppressWarnings("ReferenceEquality") // an agent is the same object
  @Nullable
  Call<R> take(InvocationContext invocation) {
    synchronized (calls) {
      if (calls.isEmpty()) {
        return null;
      }
      String request = invocation.userContent().map(SessionForms::text).orElse("");
      Call<R> found = null;
      for (Call<R> call : calls) {
        if (call.agent() == invocation.agent()
            && (found == null || !found.request().equals(request))
            && (found == null || call.request().equals(request))) {
          found = call;
        }
      }
      if (found != null) {
        calls.remove(found);
      }
      return found;
    }
  }

  /** Removes a call that has ended. */
  @SuppressWarnings("ReferenceEquality") // a context is the same object
  void remove(Object context) {
    synchronized (calls) {
      calls.removeIf(call -> call.context() == context);
    }
  }

  /** Removes the calls of a run that has ended. */
  void removeAll(R run) {
    synchronized (calls) {
      calls.removeIf(call -> call.run().equals(run));
    }
  }
}
