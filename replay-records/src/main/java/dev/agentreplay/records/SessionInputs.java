package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of a session. The same inputs should lead to the same session.
 *
 * @param kickoff the message that opens the session
 * @param externalEvidence the evidence that the session is given
 * @param agentRoster the agents of the session
 * @param protocolVersions the versions of protocols and formats that the agents use
 * @param extra members without a component
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

  /** Creates inputs without evidence or agents, with the default versions. */
  public static SessionInputs of(Kickoff kickoff) {
    return new SessionInputs(
        kickoff, List.of(), List.of(), ProtocolVersions.defaults(), JsonObject.EMPTY);
  }

  /** Returns a copy with the given kickoff. */
  public SessionInputs withKickoff(Kickoff newKickoff) {
    return new SessionInputs(newKickoff, externalEvidence, agentRoster, protocolVersions, extra);
  }

  /** Returns a copy with the given evidence. */
  public SessionInputs withExternalEvidence(List<EvidenceRecordSummary> newEvidence) {
    return new SessionInputs(kickoff, newEvidence, agentRoster, protocolVersions, extra);
  }

  /** Returns a copy with the given agents. */
  public SessionInputs withAgentRoster(List<AgentRosterEntry> newRoster) {
    return new SessionInputs(kickoff, externalEvidence, newRoster, protocolVersions, extra);
  }

  /** Returns a copy with the given versions. */
  public SessionInputs withProtocolVersions(ProtocolVersions newVersions) {
    return new SessionInputs(kickoff, externalEvidence, agentRoster, newVersions, extra);
  }

  /**
   * The versions of the protocols and formats that the agents of a session use.
   *
   * @param rolePrompts the version of the prompts of the roles: a version, or the hash of a commit
   * @param deltaFormat the version of the format of deltas
   * @param artifactSchema the version of the schema of the artifact
   * @param evaluationRubric the version of the rubric that outputs are graded by
   * @param evidencePack the version of the format of evidence
   * @param extra members without a component
   */
  public record ProtocolVersions(
      @Nullable String rolePrompts,
      String deltaFormat,
      String artifactSchema,
      @Nullable String evaluationRubric,
      @Nullable String evidencePack,
      JsonObject extra)
      implements RecordObject {

    /** The default of {@code delta_format} and {@code artifact_schema}. */
    public static final String DEFAULT_VERSION = "v0.1";

    /** Checks for null. */
    public ProtocolVersions {
      Objects.requireNonNull(deltaFormat, "deltaFormat");
      Objects.requireNonNull(artifactSchema, "artifactSchema");
      Objects.requireNonNull(extra, "extra");
    }

    /** Returns the default versions. */
    public static ProtocolVersions defaults() {
      return new ProtocolVersions(
          null, DEFAULT_VERSION, DEFAULT_VERSION, null, null, JsonObject.EMPTY);
    }
  }
}
