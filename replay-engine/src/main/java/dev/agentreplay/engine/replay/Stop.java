package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.exchange.ExchangeKind;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a replay was stopped before its agent returned.
 *
 * @param cause the cause
 * @param reason the reason in words
 * @param entry the entry of the request or value at which the replay stopped; null if it was none
 */
record Stop(Cause cause, String reason, @Nullable LedgerEntry entry) {

  Stop(Cause cause, String reason) {
    this(cause, reason, null);
  }

  /** The number of the missed request at which the replay stopped; null if it was none. */
  @Nullable
  Long request() {
    return entry == null || entry.kind() == ExchangeKind.VALUE || entry.miss() == null
        ? null
        : Long.valueOf(entry.number());
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
