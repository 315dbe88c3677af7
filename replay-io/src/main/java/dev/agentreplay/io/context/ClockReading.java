package dev.agentreplay.io.context;

import java.time.Instant;

/** Reads a clock: the time of a reading follows from its ordinal, unless the clock is live. */
final class ClockReading {

  private final ContextClock clock;

  ClockReading(ContextClock clock) {
    this.clock = clock;
  }

  /** The time of the reading with an ordinal. */
  Instant instant(long ordinal) {
    if (clock instanceof ContextClock.Stepped stepped) {
      return stepped.start().plus(stepped.step().multipliedBy(ordinal));
    }
    return clock instanceof ContextClock.Frozen frozen ? frozen.instant() : Instant.now();
  }

  /** The nano time of the reading with an ordinal. */
  long nanos(long ordinal) {
    if (clock instanceof ContextClock.Stepped stepped) {
      return stepped.step().multipliedBy(ordinal).toNanos();
    }
    return clock instanceof ContextClock.Frozen ? 0 : System.nanoTime();
  }
}
