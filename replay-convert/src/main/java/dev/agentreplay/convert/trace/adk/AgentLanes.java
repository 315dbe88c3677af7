package dev.agentreplay.convert.trace.adk;

import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of agents: the first agent is the main one. Each other one was started by the last call
 * of a tool that has its name, or that transferred to it.
 */
final class AgentLanes {

  private static final String TRANSFER = "transfer_to_agent";

  private final Map<String, String> starts = new HashMap<>();
  private final Map<String, Meta> lanes = new HashMap<>();
  private @Nullable String main;

  /** The lane of an agent. */
  Meta of(@Nullable String agent) {
    if (agent == null) {
      return Meta.NONE;
    }
    if (main == null) {
      main = agent;
    }
    return agent.equals(main)
        ? Meta.NONE
        : lanes.computeIfAbsent(
            agent, name -> Meta.NONE.withAgent(name).withParent(starts.get(name)));
  }

  /** Takes a call that may start an agent. */
  void called(String id, String tool, JsonObject args) {
    String target = tool.equals(TRANSFER) ? SourceHead.text(args, "agent_name") : tool;
    if (target != null) {
      starts.put(target, id);
    }
  }
}
