package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The report of the replay of a session.
 *
 * @param originalSessionId the id of the session that was replayed
 * @param mode the mode of the replay
 * @param replayedAt the time of the replay
 * @param roster the agents that ran
 * @param matches whether the replay matches the original
 * @param similarity the similarity of replay and original
 * @param progress the progress of the replay
 * @param divergences the divergences of the replay from the original
 * @param conclusion the conclusion in a sentence
 * @param extra members without a component
 */
public record RecordReplayReport(
    String originalSessionId,
    Mode mode,
    RecordTime replayedAt,
    List<AgentRosterEntry> roster,
    boolean matches,
    Similarity similarity,
    Progress progress,
    List<Divergence> divergences,
    String conclusion,
    JsonObject extra)
    implements RecordObject {

  /**
   * The similarity of a replay to the original, in percent from 0 to 100.
   *
   * @param percentage the similarity of the session as a whole
   * @param artifact the similarity of the final artifact
   */
  public record Similarity(double percentage, double artifact) {}

  /**
   * The progress of a replay, in numbers that are not negative.
   *
   * @param roundsCompleted the number of rounds that were replayed
   * @param roundsExpected the number of rounds of the original
   * @param messagesMatched the number of messages that match
   * @param messagesExpected the number of messages of the original
   */
  public record Progress(
      long roundsCompleted, long roundsExpected, long messagesMatched, long messagesExpected) {}

  /** The default minimum similarity of a match, in percent. */
  public static final double DEFAULT_SIMILARITY = 80;

  /** Checks for null and copies. */
  public RecordReplayReport {
    Objects.requireNonNull(originalSessionId, "originalSessionId");
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(replayedAt, "replayedAt");
    roster = List.copyOf(roster);
    Objects.requireNonNull(similarity, "similarity");
    Objects.requireNonNull(progress, "progress");
    divergences = List.copyOf(divergences);
    Objects.requireNonNull(conclusion, "conclusion");
    Objects.requireNonNull(extra, "extra");
  }

  /**
   * Whether the replay is a match: its similarity is at least {@link #DEFAULT_SIMILARITY} percent,
   * and it does not have a major divergence. The component {@link #matches}, which the report
   * states itself, is ignored.
   */
  public boolean isMatch() {
    return isMatch(DEFAULT_SIMILARITY, 0);
  }

  /**
   * Whether the replay is a match by these thresholds.
   *
   * @param minSimilarity the minimum similarity of the session as a whole, in percent
   * @param maxMajorDivergences the maximum number of divergences of severity {@link Severity#MAJOR}
   */
  public boolean isMatch(double minSimilarity, long maxMajorDivergences) {
    long major = divergences.stream()
        .filter(divergence -> divergence.severity() == Severity.MAJOR)
        .count();
    return similarity.percentage() >= minSimilarity && major <= maxMajorDivergences;
  }

  /**
   * A message in which a replayed session differs from the recorded one. The specification calls it
   * Divergence.
   *
   * @param roundNumber the number of the round, from 0
   * @param messageIndex the index of the message in the round, from 0
   * @param agent the name of the agent that sent the message
   * @param severity the severity of the divergence
   * @param originalSummary the summary of the recorded message
   * @param replayedSummary the summary of the replayed message
   * @param semanticMatch whether both messages have the same meaning
   * @param explanation the explanation of the difference
   * @param extra members without a component
   */
  public record Divergence(
      long roundNumber,
      long messageIndex,
      String agent,
      Severity severity,
      String originalSummary,
      String replayedSummary,
      boolean semanticMatch,
      @Nullable String explanation,
      JsonObject extra)
      implements RecordObject {

    /** Checks for null. */
    public Divergence {
      Objects.requireNonNull(agent, "agent");
      Objects.requireNonNull(severity, "severity");
      Objects.requireNonNull(originalSummary, "originalSummary");
      Objects.requireNonNull(replayedSummary, "replayedSummary");
      Objects.requireNonNull(extra, "extra");
    }
  }

  /** The severity of a {@link Divergence}, in ascending order. */
  public enum Severity implements RecordConstant {
    /** Identical, or the same meaning. */
    NONE,
    /** Different words, the same meaning. */
    MINOR,
    /** A different approach, similar conclusions. */
    MODERATE,
    /** Different conclusions. */
    MAJOR
  }

  /** The mode of a replay. */
  public enum Mode implements RecordConstant {
    /** The same agents and models run again, to check that their outputs match. */
    VERIFICATION,
    /** Different agents run, to compare their reasoning. */
    COMPARISON,
    /** The recorded messages are stepped through; no agent runs. */
    TRACE
  }
}
