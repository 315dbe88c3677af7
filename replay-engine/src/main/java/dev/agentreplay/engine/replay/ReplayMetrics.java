package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import java.time.Duration;

/**
 * Receives the measurements of replays, for the metrics library of the caller. The constants are
 * the recommended names; the labels {@code mode}, {@code verdict}, {@code kind} and
 * {@code severity} have few values each.
 *
 * <p>A replay calls it after it has ended with a report, on the thread that ended it. A replay that
 * is refused, or whose files cannot be read or written, throws an exception and is not measured. An
 * exception that a method throws is logged, ends the measurement of that replay, and does not
 * affect the replay. An implementation that several replays share must be safe for use by several
 * threads.
 */
public interface ReplayMetrics {

  /** The counter of ended replays; labels: {@code mode}, {@code verdict}. */
  String REPLAYS = "agentreplay.replays";

  /** The histogram of the durations of replays, in seconds; labels as {@link #REPLAYS}. */
  String DURATION = "agentreplay.replay.duration";

  /** The counter of divergences; labels: {@code mode}, {@code kind}, {@code severity}. */
  String DIVERGENCES = "agentreplay.replay.divergences";

  /**
   * Called once for each replay.
   *
   * @param duration the duration of the replay, without pauses
   */
  void replayed(ReplayMode mode, ReplayVerdict verdict, Duration duration);

  /**
   * Called after {@link #replayed} for each kind and severity that the divergences of the replay
   * have. The counts add up to {@link ReplayReport#divergenceCount}.
   *
   * @param kind the kind, as {@link ReplayDivergence#kind} states it
   * @param count the number of divergences, at least 1
   */
  void diverged(ReplayMode mode, String kind, DivergenceSeverity severity, long count);
}
