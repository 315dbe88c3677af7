package dev.agentreplay.records.replay;

import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.EvidenceRecordSummary;
import dev.agentreplay.records.Kickoff;
import dev.agentreplay.records.RecordObject;
import dev.agentreplay.records.SessionInputs;
import dev.agentreplay.records.SessionInputs.ProtocolVersions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares the inputs of two sessions: kickoff, evidence, roster and the five protocol versions.
 * The thread is different in each session, and is not compared.
 */
final class InputComparison {

  private final List<InputDifference> differences = new ArrayList<>();

  private InputComparison() {}

  /**
   * Returns the differences.
   *
   * @param withRoster whether the rosters are to be the same, as in a verification
   */
  static List<InputDifference> between(
      SessionInputs recorded, SessionInputs present, boolean withRoster) {
    InputComparison comparison = new InputComparison();
    comparison.kickoff(recorded.kickoff(), present.kickoff());
    comparison.evidence(recorded, present);
    comparison.duplicates(recorded.agentRoster(), "the recorded session");
    comparison.duplicates(present.agentRoster(), "the replay");
    if (withRoster) {
      comparison.roster(recorded.agentRoster(), present.agentRoster());
    }
    comparison.versions(recorded.protocolVersions(), present.protocolVersions());
    return comparison.differences;
  }

  private void kickoff(Kickoff recorded, Kickoff present) {
    Map<String, Function<Kickoff, @Nullable Object>> members = new LinkedHashMap<>();
    members.put("question", Kickoff::question);
    members.put("excerpt", Kickoff::excerpt);
    members.put("theme", Kickoff::theme);
    members.put("domain", Kickoff::domain);
    members.put("operator_selection", k -> json(k.operatorSelection()));
    members.put("kickoff_body_md", Kickoff::body);
    members.forEach(
        (name, get) -> compare("kickoff." + name, get.apply(recorded), get.apply(present)));
  }

  private static @Nullable Object json(@Nullable RecordObject object) {
    return object == null ? null : object.toJson();
  }

  private void evidence(SessionInputs recorded, SessionInputs present) {
    Map<String, EvidenceRecordSummary> before = byId(recorded);
    Map<String, EvidenceRecordSummary> after = byId(present);
    for (String id : union(before.keySet(), after.keySet())) {
      EvidenceRecordSummary left = before.get(id);
      EvidenceRecordSummary right = after.get(id);
      String path = "external_evidence[" + id + "]";
      if (left == null || right == null) {
        compare(path, source(left), source(right));
      } else {
        compare(path + ".source", left.source(), right.source());
        compare(path + ".content_hash", left.contentHash(), right.contentHash());
      }
    }
  }

  private static @Nullable String source(@Nullable EvidenceRecordSummary evidence) {
    return evidence == null ? null : evidence.source();
  }

  private static Map<String, EvidenceRecordSummary> byId(SessionInputs inputs) {
    return inputs.externalEvidence().stream()
        .collect(Collectors.toMap(
            EvidenceRecordSummary::id, e -> e, (first, second) -> first, LinkedHashMap::new));
  }

  private void roster(List<AgentRosterEntry> recorded, List<AgentRosterEntry> present) {
    Map<String, AgentRosterEntry> before = byName(recorded);
    Map<String, AgentRosterEntry> after = byName(present);
    for (String name : union(before.keySet(), after.keySet())) {
      AgentRosterEntry left = before.get(name);
      AgentRosterEntry right = after.get(name);
      String path = "agent_roster[" + name + "]";
      if (left == null || right == null) {
        compare(path, left == null ? null : left.model(), right == null ? null : right.model());
      } else {
        compare(path + ".role", left.role().id(), right.role().id());
        compare(path + ".program", left.program(), right.program());
        compare(path + ".model", left.model(), right.model());
        compare(path + ".model_version", left.modelVersion(), right.modelVersion());
        compare(path + ".temperature", left.temperature(), right.temperature());
      }
    }
  }

  /** Reports agents with one name, of which only the first one counts. */
  private void duplicates(List<AgentRosterEntry> roster, String session) {
    Set<String> names = new HashSet<>();
    for (AgentRosterEntry agent : roster) {
      if (!names.add(agent.agentName())) {
        String name = "agent_roster[" + agent.agentName() + "]";
        differences.add(new InputDifference(
            name, null, null, "%s: %s has several agents with this name".formatted(name, session)));
      }
    }
  }

  private static Map<String, AgentRosterEntry> byName(List<AgentRosterEntry> roster) {
    return roster.stream()
        .collect(Collectors.toMap(
            AgentRosterEntry::agentName, a -> a, (first, second) -> first, LinkedHashMap::new));
  }

  private void versions(ProtocolVersions recorded, ProtocolVersions present) {
    Map<String, Function<ProtocolVersions, @Nullable String>> members = new LinkedHashMap<>();
    members.put("role_prompts", ProtocolVersions::rolePrompts);
    members.put("delta_format", ProtocolVersions::deltaFormat);
    members.put("artifact_schema", ProtocolVersions::artifactSchema);
    members.put("evaluation_rubric", ProtocolVersions::evaluationRubric);
    members.put("evidence_pack", ProtocolVersions::evidencePack);
    members.forEach((name, get) ->
        compare("protocol_versions." + name, get.apply(recorded), get.apply(present)));
  }

  private void compare(String name, @Nullable Object recorded, @Nullable Object present) {
    if (!Objects.equals(recorded, present)) {
      differences.add(InputDifference.of(
          name,
          recorded == null ? null : recorded.toString(),
          present == null ? null : present.toString()));
    }
  }

  private static Set<String> union(Set<String> left, Set<String> right) {
    Set<String> union = new LinkedHashSet<>(left);
    union.addAll(right);
    return union;
  }
}
