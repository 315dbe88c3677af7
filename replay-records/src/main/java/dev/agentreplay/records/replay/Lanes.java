package dev.agentreplay.records.replay;

import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.AgentRosterEntry.Role;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The lanes in which the messages of a session are paired: its agents, or for a comparison of
 * different agents their roles.
 */
final class Lanes {

  private final Map<String, Role> roles = new HashMap<>();
  private final boolean areRoles;

  private Lanes(List<AgentRosterEntry> roster, boolean areRoles) {
    roster.forEach(agent -> roles.putIfAbsent(agent.agentName(), agent.role()));
    this.areRoles = areRoles;
  }

  /** The lanes of the agents of a roster. */
  static Lanes byAgent(List<AgentRosterEntry> roster) {
    return new Lanes(roster, false);
  }

  /** The lanes of the roles in a roster. */
  static Lanes byRole(List<AgentRosterEntry> roster) {
    return new Lanes(roster, true);
  }

  /** The role of an agent; null if it is not in the roster. */
  @Nullable
  Role role(String agent) {
    return roles.get(agent);
  }

  /** The key of the lane of an agent. */
  Object of(String agent) {
    Role role = areRoles ? role(agent) : null;
    return role == null ? agent : role;
  }
}
