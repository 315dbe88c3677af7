package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayTimeouts;
import dev.agentreplay.io.session.Session;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Observes a replay. The methods are called on threads of the agent and of the replay, one at a
 * time for each replay, and should return quickly, because each exchange waits for them; only
 * {@link #timedOut} may take its time. An exception or error that one throws is logged, and does
 * not affect the replay.
 */
public interface ReplayListener {

  /**
   * The progress of a replay.
   *
   * @param requests the number of requests so far
   * @param read the number of recorded exchanges that were used
   * @param recorded the number of recorded exchanges
   * @param divergences the number of misses and other differences so far
   * @param elapsed the time since the start, without pauses
   * @param running the tool or model that is executed for the longest time now; null if none is
   * @param paused whether the replay is paused
   */
  record Progress(
      long requests,
      long read,
      long recorded,
      long divergences,
      Duration elapsed,
      @Nullable String running,
      boolean paused) {}

  /**
   * Called before anything runs, with the circumstances in which the replay differs from its
   * recording, as far as they are known then.
   */
  default void circumstances(List<Circumstance> found) {}

  /** Called once a second, also while an exchange hangs. */
  default void progress(Progress progress) {}

  /** Called after each exchange. */
  default void exchange(LedgerEntry entry) {}

  /**
   * Called when a difference is found during the replay: a miss, a refusal, a time-out, or a result
   * that differs from the recorded one.
   *
   * @param message the difference in one sentence, or the report on a miss
   */
  default void divergence(LedgerEntry entry, String message) {}

  /**
   * Called when an executed exchange is not answered in time. Returns the behavior for this
   * exchange; null for that of {@link ReplayTimeouts#onStep}. It may ask a person: other exchanges
   * do not wait for it, and the other methods may be called meanwhile.
   *
   * @param name the tool or model
   * @param waited the time since its start, without pauses
   */
  default ReplayTimeouts.@Nullable OnTimeout timedOut(String name, Duration waited) {
    return null;
  }

  /**
   * Called on the thread that ends the replay, when its report is complete.
   *
   * @param compared the session that the report compares with the recording: that of the replay,
   *     which is deleted after this method returns if no directory was set; in the mode
   *     {@link ReplayMode#VALIDATION} the other recording, null if there is none
   */
  default void ended(ReplayReport report, @Nullable Session compared) {}
}
