package dev.agentreplay.verify;

import dev.agentreplay.model.Timestamp;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the lines of a log that has no end yet came to, for those behind them.
 *
 * @param headerSeen whether there was a header
 * @param otherSeen whether there was another event
 * @param lastTime the time of the last event that has one
 * @param latencyMillis the sum of the latencies
 * @param latencyIsFraction whether one is a fraction, so that the sum is not known
 * @param part the number of the file that was read last
 * @param open the calls that wait for their results, in order
 * @param callIds the fingerprints of the ids that were used
 */
record LogProgress(
    boolean headerSeen,
    boolean otherSeen,
    @Nullable Timestamp lastTime,
    long latencyMillis,
    boolean latencyIsFraction,
    long part,
    List<OpenCall> open,
    List<Long> callIds) {

  LogProgress {
    open = List.copyOf(open);
    callIds = List.copyOf(callIds);
  }

  /**
   * A call that waits for its result.
   *
   * @param key what its result finds it by
   */
  record OpenCall(String key, AnsweredCall.Called call) {}
}
