package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import java.util.Objects;

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
    RecordReplayMode mode,
    RecordTime replayedAt,
    List<AgentRosterEntry> roster,
    boolean matches,
    Similarity similarity,
    Progress progress,
    List<RecordDivergence> divergences,
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
   * @param maxMajorDivergences the most divergences of severity {@link RecordSeverity#MAJOR}
   */
  public boolean isMatch(double minSimilarity, long maxMajorDivergences) {
    long major = divergences.stream()
        .filter(divergence -> divergence.severity() == RecordSeverity.MAJOR)
        .count();
    return similarity.percentage() >= minSimilarity && major <= maxMajorDivergences;
  }
}
