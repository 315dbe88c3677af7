package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What came of replaying a session.
 *
 * @param originalSessionId the session that was replayed
 * @param mode how it was replayed
 * @param replayedAt when
 * @param roster the agents that ran
 * @param matches whether the replay matches the original
 * @param similarity how similar they are
 * @param progress how far the replay came
 * @param divergences where they differ
 * @param conclusion what follows, in a sentence
 * @param extra members that no component holds
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
   * How similar a replay is to the original, from 0 to 100.
   *
   * @param percentage the session as a whole
   * @param artifact the final artifact
   */
  public record Similarity(double percentage, double artifact) {}

  /**
   * How far a replay came; none is negative.
   *
   * @param roundsCompleted the rounds that were replayed
   * @param roundsExpected the rounds of the original
   * @param messagesMatched the messages that match
   * @param messagesExpected the messages of the original
   */
  public record Progress(
      long roundsCompleted, long roundsExpected, long messagesMatched, long messagesExpected) {}

  /** The least similarity of a match, in percent, where none is given. */
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
   * Whether the replay is a match: similar by {@link #DEFAULT_SIMILARITY} percent or more, and
   * without a major divergence. {@link #matches} is what the report itself says, and is not looked
   * at.
   */
  public boolean isMatch() {
    return isMatch(DEFAULT_SIMILARITY, 0);
  }

  /**
   * Whether the replay is a match by these thresholds.
   *
   * @param minSimilarity the least similarity of the session as a whole, in percent
   * @param maxMajorDivergences the most divergences of severity {@link Severity#MAJOR}
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
   * @param roundNumber the number of its round, from 0
   * @param messageIndex which message of the round it is, from 0
   * @param agent the agent that sent it
   * @param severity how far the two are apart
   * @param originalSummary what the recorded one said
   * @param replayedSummary what the replayed one said
   * @param semanticMatch whether both mean the same
   * @param explanation why they differ
   * @param extra members that no component holds
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
    /** Identical, or of the same meaning. */
    NONE,
    /** Other words, the same meaning. */
    MINOR,
    /** Another approach, similar conclusions. */
    MODERATE,
    /** Other conclusions. */
    MAJOR
  }

  /** How a session is replayed. */
  public enum Mode implements RecordConstant {
    /** The same agents and models run again, to see whether the outputs match. */
    VERIFICATION,
    /** Other agents run, to compare their reasoning. */
    COMPARISON,
    /** The recorded messages are stepped through; nothing runs. */
    TRACE
  }
}
