package dev.agentreplay.io;

import dev.agentreplay.canonical.dialect.Dialect;
import java.time.Clock;
import java.util.Objects;

/**
 * How a log is written.
 *
 * @param dialect the dialect to write
 * @param clock tells the time of events that have none
 */
public record WriterOptions(Dialect dialect, Clock clock) {

  /** Checks for null. */
  public WriterOptions {
    Objects.requireNonNull(dialect, "dialect");
    Objects.requireNonNull(clock, "clock");
  }

  /** The dialect {@code event}, and the system's clock. */
  public static WriterOptions defaults() {
    return new WriterOptions(Dialect.EVENT, Clock.systemUTC());
  }

  /** With another dialect. */
  public WriterOptions withDialect(Dialect newDialect) {
    return new WriterOptions(newDialect, clock);
  }

  /** With another clock. */
  public WriterOptions withClock(Clock newClock) {
    return new WriterOptions(dialect, newClock);
  }
}
