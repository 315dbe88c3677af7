package dev.agentreplay.records.replay;

import dev.agentreplay.records.RecordReplayReport;
import org.jspecify.annotations.Nullable;

/**
 * The thresholds from which a replay matches the recorded session. Immutable.
 *
 * @param similarity the minimum similarity of the session, in percent from 0 to 100; 80 by default
 * @param maxMajor the maximum number of major divergences; 0 by default
 * @param artifact the minimum similarity of the final artifact, in percent; null, the default, for
 *     none
 */
public record ReplayThresholds(double similarity, long maxMajor, @Nullable Double artifact) {

  private static final ReplayThresholds DEFAULTS =
      new ReplayThresholds(RecordReplayReport.DEFAULT_SIMILARITY, 0, null);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a threshold is out of range
   */
  public ReplayThresholds {
    requirePercentage("similarity", similarity);
    if (artifact != null) {
      requirePercentage("artifact similarity", artifact);
    }
    if (maxMajor < 0) {
      throw new IllegalArgumentException(
          "maximum number of major divergences must not be negative: " + maxMajor);
    }
  }

  private static void requirePercentage(String name, double value) {
    if (!(value >= 0 && value <= 100)) {
      throw new IllegalArgumentException(name + " must be from 0 to 100: " + value);
    }
  }

  /** The default thresholds, which are those of the origin of specification 004. */
  public static ReplayThresholds defaults() {
    return DEFAULTS;
  }

  /** Returns these thresholds with a different minimum similarity, in percent. */
  public ReplayThresholds withSimilarity(double newSimilarity) {
    return new ReplayThresholds(newSimilarity, maxMajor, artifact);
  }

  /** Returns these thresholds with a different maximum number of major divergences. */
  public ReplayThresholds withMaxMajor(long newMaxMajor) {
    return new ReplayThresholds(similarity, newMaxMajor, artifact);
  }

  /** Returns these thresholds with a minimum similarity of the artifact, in percent. */
  public ReplayThresholds withArtifact(@Nullable Double newArtifact) {
    return new ReplayThresholds(similarity, maxMajor, newArtifact);
  }

  /**
   * Whether the numbers of a report reach the thresholds. Whether the replay was complete and
   * everything decided is stated by {@link SessionReplayResult#verdict}.
   */
  public boolean matches(RecordReplayReport report) {
    return report.isMatch(similarity, maxMajor)
        && (artifact == null || report.similarity().artifact() >= artifact);
  }
}
