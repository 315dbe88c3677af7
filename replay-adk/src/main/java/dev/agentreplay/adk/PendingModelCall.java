package dev.agentreplay.adk;

import com.google.adk.agents.BaseAgent;
import com.google.adk.tools.BaseTool;
import dev.agentreplay.adk.AgentLanes.Lane;
import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;

/**
 * A call of a wrapped model, which does not get the context of the agent that calls it.
 *
 * @param id the id of the event that the kit prepares for the answer
 */
record PendingModelCall(String id, String invocation, BaseAgent agent, Lane lane) {

  /** The tools of a request, which refer to the call. */
  static final class Tools extends AbstractMap<String, BaseTool> {

    private final Map<String, BaseTool> tools;
    private final PendingModelCall call;

    Tools(Map<String, BaseTool> tools, PendingModelCall call) {
      this.tools = tools;
      this.call = call;
    }

    PendingModelCall call() {
      return call;
    }

    @Override
    public Set<Entry<String, BaseTool>> entrySet() {
      return tools.entrySet();
    }
  }
}
