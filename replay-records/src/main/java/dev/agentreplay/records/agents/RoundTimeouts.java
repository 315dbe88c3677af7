package dev.agentreplay.records.agents;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The time-outs of a replay whose agents run. Immutable.
 *
 * @param round the time-out of a round; null for ten times its recorded duration, at least 60 s
 * @param overall the time-out of the replay; null for none but those of the rounds
 */
public record RoundTimeouts(@Nullable Duration round, @Nullable Duration overall) {

  private static final int FACTOR = 10;
  private static final Duration LEAST = Duration.ofSeconds(60);

  /** Checks the ranges. */
  public RoundTimeouts {
    check("round", round);
    check("overall", overall);
  }

  private static void check(String name, @Nullable Duration timeout) {
    if (timeout != null && (timeout.isNegative() || timeout.isZero())) {
      throw new IllegalArgumentException(name + " time-out must be positive: " + timeout);
    }
  }

  /** The default time-outs, which depend on the record. */
  public static RoundTimeouts defaults() {
    return new RoundTimeouts(null, null);
  }

  /** Returns these time-outs with a different one of a round. */
  public RoundTimeouts withRound(@Nullable Duration newRound) {
    return new RoundTimeouts(newRound, overall);
  }

  /** Returns these time-outs with a different one of the replay. */
  public RoundTimeouts withOverall(@Nullable Duration newOverall) {
    return new RoundTimeouts(round, newOverall);
  }

  /**
   * The time-out of a round.
   *
   * @param recordedMillis its recorded duration in milliseconds; null if it is not recorded
   */
  public Duration round(@Nullable Long recordedMillis) {
    if (round != null) {
      return round;
    }
    Duration recorded =
        Duration.ofMillis(recordedMillis == null ? 0 : recordedMillis).multipliedBy(FACTOR);
    return recorded.compareTo(LEAST) < 0 ? LEAST : recorded;
  }
}
