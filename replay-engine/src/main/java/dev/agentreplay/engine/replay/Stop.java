package dev.agentreplay.engine.replay;

import org.jspecify.annotations.Nullable;

/**
 * The reason why a replay was stopped before its agent returned.
 *
 * @param cause the cause
 * @param reason the reason in words
 * @param request the number of the request at which the replay stopped; null if it was none
 */
record Stop(Cause cause, String reason, @Nullable Long request) {

  Stop(Cause cause, String reason) {
    this(cause, reason, null);
  }

  /** The cause. */
  enum Cause {
    /** A request that the recording cannot answer. */
    MISS,
    /** A result that differs from the recorded one. */
    DIVERGENCE,
    /** A limit of the budget. */
    BUDGET,
    /** The time-out of the whole replay. */
    TIMEOUT,
    /** An agent that could not be executed, or that failed because a tool or model was not. */
    NOT_EXECUTED,
    /** An agent that makes requests although the replay was stopped. */
    IGNORED,
    /** An abort by the caller. */
    ABORT;

    /** Whether the replay did not reach the end, for a reason that is not a difference. */
    boolean isIncomplete() {
      return this != MISS && this != DIVERGENCE;
    }
  }
}
