package dev.agentreplay.io.context;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A clock that advances by the same step at each reading, as the times of a deterministic
 * recording. In a log whose writer has such a clock, the times ascend with the lines, also if
 * several threads write; a recorder that resumes a session continues after the times in its log.
 * Safe for use by several threads.
 */
public final class SteppedClock extends Clock {

  private final AtomicReference<Instant> next;
  private final Duration step;
  private final ZoneId zone;

  private SteppedClock(AtomicReference<Instant> next, Duration step, ZoneId zone) {
    this.next = next;
    this.step = step;
    this.zone = zone;
  }

  /**
   * Creates a clock in UTC.
   *
   * @throws IllegalArgumentException if the step is not positive
   */
  public static SteppedClock of(Instant start, Duration step) {
    Objects.requireNonNull(start, "start");
    requirePositive(step);
    return new SteppedClock(new AtomicReference<>(start), step, ZoneOffset.UTC);
  }

  /** Fails unless a step is positive. */
  static void requirePositive(Duration step) {
    if (step.isNegative() || step.isZero()) {
      throw new IllegalArgumentException("step must be positive: " + step);
    }
  }

  /** Advances the clock so that its next reading is later than the given time. */
  public void advancePast(Instant time) {
    next.accumulateAndGet(time.plus(step), (now, least) -> now.isBefore(least) ? least : now);
  }

  @Override
  public Instant instant() {
    return next.getAndUpdate(now -> now.plus(step));
  }

  @Override
  public ZoneId getZone() {
    return zone;
  }

  /** Returns a clock in a different zone, which advances together with this one. */
  @Override
  public SteppedClock withZone(ZoneId newZone) {
    return new SteppedClock(next, step, newZone);
  }
}
