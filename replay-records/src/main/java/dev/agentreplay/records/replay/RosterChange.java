package dev.agentreplay.records.replay;

import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.AgentRosterEntry.Role;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A change of a roster: an agent of a role that is different in a replay.
 *
 * @param role the role
 * @param original the recorded agent; null if only the replay has it
 * @param replayed the agent that ran in its place; null if there is none
 * @param changed the members of the entry that differ, such as {@code model}; empty if there is
 *     only one agent
 */
public record RosterChange(
    Role role,
    @Nullable AgentRosterEntry original,
    @Nullable AgentRosterEntry replayed,
    List<String> changed) {

  private static final Map<String, Function<AgentRosterEntry, @Nullable Object>> MEMBERS =
      new LinkedHashMap<>();

  static {
    MEMBERS.put("agent_name", AgentRosterEntry::agentName);
    MEMBERS.put("program", AgentRosterEntry::program);
    MEMBERS.put("model", AgentRosterEntry::model);
    MEMBERS.put("model_version", AgentRosterEntry::modelVersion);
    MEMBERS.put("temperature", AgentRosterEntry::temperature);
  }

  /** Copies the list, and checks for null. */
  public RosterChange {
    Objects.requireNonNull(role, "role");
    changed = List.copyOf(changed);
  }

  /**
   * Returns the changes between two rosters, by role. Within a role agents with the same name are
   * compared, then the others in order.
   */
  static List<RosterChange> between(
      List<AgentRosterEntry> original, List<AgentRosterEntry> replayed) {
    List<RosterChange> changes = new ArrayList<>();
    for (Role role : Role.values()) {
      List<AgentRosterEntry> before = ofRole(original, role);
      List<AgentRosterEntry> after = ofRole(replayed, role);
      for (AgentRosterEntry agent : List.copyOf(before)) {
        after.stream()
            .filter(other -> other.agentName().equals(agent.agentName()))
            .findFirst()
            .ifPresent(same -> {
              before.remove(agent);
              after.remove(same);
              add(role, agent, same, changes);
            });
      }
      for (int i = 0; i < Math.max(before.size(), after.size()); i++) {
        add(
            role,
            i < before.size() ? before.get(i) : null,
            i < after.size() ? after.get(i) : null,
            changes);
      }
    }
    return List.copyOf(changes);
  }

  private static List<AgentRosterEntry> ofRole(List<AgentRosterEntry> roster, Role role) {
    return new ArrayList<>(roster.stream().filter(agent -> agent.role() == role).toList());
  }

  private static void add(
      Role role,
      @Nullable AgentRosterEntry before,
      @Nullable AgentRosterEntry after,
      List<RosterChange> changes) {
    if (before == null || after == null) {
      changes.add(new RosterChange(role, before, after, List.of()));
      return;
    }
    List<String> changed = MEMBERS.entrySet().stream()
        .filter(member ->
            !Objects.equals(member.getValue().apply(before), member.getValue().apply(after)))
        .map(Map.Entry::getKey)
        .toList();
    if (!changed.isEmpty()) {
      changes.add(new RosterChange(role, before, after, changed));
    }
  }
}
