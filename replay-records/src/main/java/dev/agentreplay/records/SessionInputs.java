package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a session starts with: the same inputs should lead to the same session.
 *
 * @param kickoff the message that opens it
 * @param externalEvidence the evidence it is given
 * @param agentRoster its agents
 * @param protocolVersions what the agents agreed on
 * @param extra members that no component holds
 */
public record SessionInputs(
    Kickoff kickoff,
    List<EvidenceRecordSummary> externalEvidence,
    List<AgentRosterEntry> agentRoster,
    ProtocolVersions protocolVersions,
    JsonObject extra)
    implements RecordObject {

  /** Checks for null and copies. */
  public SessionInputs {
    Objects.requireNonNull(kickoff, "kickoff");
    externalEvidence = List.copyOf(externalEvidence);
    agentRoster = List.copyOf(agentRoster);
    Objects.requireNonNull(protocolVersions, "protocolVersions");
    Objects.requireNonNull(extra, "extra");
  }

  /** Inputs without evidence or agents, of the default versions. */
  public static SessionInputs of(Kickoff kickoff) {
    return new SessionInputs(
        kickoff, List.of(), List.of(), ProtocolVersions.defaults(), JsonObject.EMPTY);
  }

  /** With another kickoff. */
  public SessionInputs withKickoff(Kickoff newKickoff) {
    return new SessionInputs(newKickoff, externalEvidence, agentRoster, protocolVersions, extra);
  }

  /** With other evidence. */
  public SessionInputs withExternalEvidence(List<EvidenceRecordSummary> newEvidence) {
    return new SessionInputs(kickoff, newEvidence, agentRoster, protocolVersions, extra);
  }

  /** With other agents. */
  public SessionInputs withAgentRoster(List<AgentRosterEntry> newRoster) {
    return new SessionInputs(kickoff, externalEvidence, newRoster, protocolVersions, extra);
  }

  /** With other versions. */
  public SessionInputs withProtocolVersions(ProtocolVersions newVersions) {
    return new SessionInputs(kickoff, externalEvidence, agentRoster, newVersions, extra);
  }

  /**
   * The versions of what the agents of a session agreed on.
   *
   * @param rolePrompts the prompts of the roles: a version, or the hash of a commit
   * @param deltaFormat the format of deltas
   * @param artifactSchema the schema of the artifact
   * @param evaluationRubric the rubric that outputs are graded by
   * @param evidencePack the format of evidence
   * @param extra members that no component holds
   */
  public record ProtocolVersions(
      @Nullable String rolePrompts,
      String deltaFormat,
      String artifactSchema,
      @Nullable String evaluationRubric,
      @Nullable String evidencePack,
      JsonObject extra)
      implements RecordObject {

    /** What {@code delta_format} and {@code artifact_schema} are where a record does not say. */
    public static final String DEFAULT_VERSION = "v0.1";

    /** Checks for null. */
    public ProtocolVersions {
      Objects.requireNonNull(deltaFormat, "deltaFormat");
      Objects.requireNonNull(artifactSchema, "artifactSchema");
      Objects.requireNonNull(extra, "extra");
    }

    /** The versions of a record that says nothing of them. */
    public static ProtocolVersions defaults() {
      return new ProtocolVersions(
          null, DEFAULT_VERSION, DEFAULT_VERSION, null, null, JsonObject.EMPTY);
    }
  }
}
