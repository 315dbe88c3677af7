package dev.agentreplay.engine.replay.policy;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The time-outs of a replay (specification 003, FR-042c-31 to 35). Time while the replay is paused
 * does not count. Immutable.
 *
 * @param step the time-out of an exchange that is executed; null for ten times its recorded
 *     latency, at least 5 s, and 60 s if no latency was recorded
 * @param overall the time-out of the whole replay; null for ten times the recorded duration of the
 *     session, at least 60 s, and for none if the agent runs on threads of the caller
 *     ({@link dev.agentreplay.engine.replay.Replay#start})
 * @param onStep the behavior when an exchange is not answered in time
 */
public record ReplayTimeouts(
    @Nullable Duration step, @Nullable Duration overall, OnTimeout onStep) {

  private static final int FACTOR = 10;
  private static final Duration LEAST_STEP = Duration.ofSeconds(5);
  private static final Duration LEAST_OVERALL = Duration.ofSeconds(60);

  /** The behavior when an exchange is not answered in time. */
  public enum OnTimeout {
    /**
     * The execution is interrupted, and its result is that it timed out; the agent gets a
     * {@link java.util.concurrent.TimeoutException}. The default.
     */
    ABORT,
    /** The replay waits as long again, until the overall time-out. */
    EXTEND
  }

  /** Checks the ranges. */
  public ReplayTimeouts {
    check("step", step);
    check("overall", overall);
    Objects.requireNonNull(onStep, "onStep");
  }

  private static void check(String name, @Nullable Duration timeout) {
    if (timeout != null && (timeout.isNegative() || timeout.isZero())) {
      throw new IllegalArgumentException(name + " time-out must be positive: " + timeout);
    }
  }

  /** The default time-outs, which depend on the recording. */
  public static ReplayTimeouts defaults() {
    return new ReplayTimeouts(null, null, OnTimeout.ABORT);
  }

  /** Returns these time-outs with a different one of an exchange. */
  public ReplayTimeouts withStep(@Nullable Duration newStep) {
    return new ReplayTimeouts(newStep, overall, onStep);
  }

  /** Returns these time-outs with a different one of the whole replay. */
  public ReplayTimeouts withOverall(@Nullable Duration newOverall) {
    return new ReplayTimeouts(step, newOverall, onStep);
  }

  /** Returns these time-outs with a different behavior. */
  public ReplayTimeouts withOnStep(OnTimeout newOnStep) {
    return new ReplayTimeouts(step, overall, newOnStep);
  }

  /**
   * The time-out of an exchange.
   *
   * @param latencyMillis its recorded latency in milliseconds; null if it is not recorded
   */
  public Duration step(@Nullable Long latencyMillis) {
    if (step != null) {
      return step;
    }
    return latencyMillis == null ? LEAST_OVERALL : longer(LEAST_STEP, latencyMillis);
  }

  /**
   * The time-out of a replay.
   *
   * @param recordedMillis the recorded duration of the session in milliseconds
   */
  public Duration overall(long recordedMillis) {
    return overall != null ? overall : longer(LEAST_OVERALL, recordedMillis);
  }

  private static Duration longer(Duration least, long recordedMillis) {
    Duration recorded = Duration.ofMillis(Math.max(recordedMillis, 0)).multipliedBy(FACTOR);
    return recorded.compareTo(least) < 0 ? least : recorded;
  }
}
