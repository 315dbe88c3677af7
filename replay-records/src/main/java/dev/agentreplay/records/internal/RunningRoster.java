package dev.agentreplay.records.internal;

import dev.agentreplay.records.AgentRosterEntry;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The agents that run, each in place of recorded ones. Immutable.
 *
 * <p>In a verification an agent runs in place of the recorded one with its name. In a comparison it
 * runs in place of one with its role: the one that also has its name, if there is one, else the
 * next one in the order of the rosters. An agent runs in place of several if fewer have the role.
 */
final class RunningRoster {

  private final Map<String, AgentRosterEntry> byRecordedName;

  private RunningRoster(Map<String, AgentRosterEntry> byRecordedName) {
    this.byRecordedName = byRecordedName;
  }

  /** The agents of a verification. */
  static RunningRoster byName(List<AgentRosterEntry> running) {
    Map<String, AgentRosterEntry> agents = new HashMap<>();
    running.forEach(agent -> agents.putIfAbsent(agent.agentName(), agent));
    return new RunningRoster(agents);
  }

  /** The agents of a comparison. */
  static RunningRoster byRole(List<AgentRosterEntry> recorded, List<AgentRosterEntry> running) {
    Map<AgentRosterEntry.Role, List<AgentRosterEntry>> free =
        new EnumMap<>(AgentRosterEntry.Role.class);
    running.forEach(
        agent -> free.computeIfAbsent(agent.role(), key -> new ArrayList<>()).add(agent));
    Map<String, AgentRosterEntry> agents = new HashMap<>();
    Set<AgentRosterEntry> taken = new HashSet<>();
    for (AgentRosterEntry agent : recorded) {
      for (AgentRosterEntry same : free.getOrDefault(agent.role(), List.of())) {
        if (same.agentName().equals(agent.agentName()) && taken.add(same)) {
          agents.putIfAbsent(agent.agentName(), same);
        }
      }
    }
    Map<AgentRosterEntry.Role, Integer> next = new EnumMap<>(AgentRosterEntry.Role.class);
    free.forEach((role, all) -> {
      List<AgentRosterEntry> others =
          all.stream().filter(agent -> !taken.contains(agent)).toList();
      free.put(role, others.isEmpty() ? all : others);
    });
    for (AgentRosterEntry agent : recorded) {
      List<AgentRosterEntry> candidates = free.getOrDefault(agent.role(), List.of());
      if (!candidates.isEmpty() && !agents.containsKey(agent.agentName())) {
        int index = next.merge(agent.role(), 1, Integer::sum) - 1;
        agents.put(agent.agentName(), candidates.get(index % candidates.size()));
      }
    }
    return new RunningRoster(agents);
  }

  /** The agent that runs in place of a recorded sender; null if none does. */
  @Nullable
  AgentRosterEntry inPlaceOf(String sender) {
    return byRecordedName.get(sender);
  }
}
