package dev.agentreplay.io.context;

import dev.agentreplay.model.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * The clock that a context reads: that of the system, one that never advances, or one that advances
 * by the same step at each reading. Immutable.
 */
public sealed interface ContextClock {

  /** The clock of the system. */
  record Live() implements ContextClock {}

  /**
   * A clock that never advances. Nano time is always 0.
   *
   * @param instant the time of each reading
   */
  record Frozen(Instant instant) implements ContextClock {

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException unless the year is from 0 to 9999
     */
    public Frozen {
      Timestamp.of(instant);
    }
  }

  /**
   * A clock that advances by the same step at each reading, in each lane on its own. Nano time
   * starts at 0 and advances by the same step, apart from the times.
   *
   * @param start the time of the first reading
   * @param step the time from one reading to the next
   */
  record Stepped(Instant start, Duration step) implements ContextClock {

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException unless the year is from 0 to 9999, and the step is positive
     */
    public Stepped {
      Timestamp.of(start);
      SteppedClock.requirePositive(step);
    }
  }

  /** The time of the first reading of {@link #stepped()}. */
  Instant DEFAULT_START = Instant.parse("2024-01-01T00:00:00Z");

  /** The clock of the system. */
  static ContextClock system() {
    return new Live();
  }

  /** A clock that never advances. */
  static ContextClock frozen(Instant instant) {
    return new Frozen(Objects.requireNonNull(instant, "instant"));
  }

  /** A clock that starts at 2024-01-01T00:00:00Z and advances by one second at each reading. */
  static ContextClock stepped() {
    return stepped(DEFAULT_START, Duration.ofSeconds(1));
  }

  /** A clock that advances by the same step at each reading. */
  static ContextClock stepped(Instant start, Duration step) {
    return new Stepped(
        Objects.requireNonNull(start, "start"), Objects.requireNonNull(step, "step"));
  }
}
