package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.dialect.Dialect;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;

/**
 * How a log is written.
 *
 * @param dialect the dialect to write
 * @param clock tells the time of events that have none
 * @param durability what an event that was written survives
 * @param groupDelay how long {@link Durability#GROUP} may leave an event unforced
 * @param maxPartBytes a log goes on in another file before this one would have more bytes, if it
 *     can
 * @param evidence what is added so that a change of the log is found later
 */
public record WriterOptions(
    Dialect dialect,
    Clock clock,
    Durability durability,
    Duration groupDelay,
    long maxPartBytes,
    TamperEvidence evidence) {

  private static final Duration DEFAULT_GROUP_DELAY = Duration.ofMillis(100);
  private static final Duration MAX_GROUP_DELAY = Duration.ofHours(1);

  /**
   * Checks for null, and the ranges.
   *
   * @throws IllegalArgumentException unless the delay is from 1 ms to 1 h, and the bytes are
   *     positive
   */
  public WriterOptions {
    Objects.requireNonNull(dialect, "dialect");
    Objects.requireNonNull(clock, "clock");
    Objects.requireNonNull(durability, "durability");
    Objects.requireNonNull(evidence, "evidence");
    if (groupDelay.compareTo(Duration.ofMillis(1)) < 0
        || groupDelay.compareTo(MAX_GROUP_DELAY) > 0) {
      throw new IllegalArgumentException("groupDelay must be from 1 ms to 1 h: " + groupDelay);
    }
    if (maxPartBytes <= 0) {
      throw new IllegalArgumentException("maxPartBytes must be positive: " + maxPartBytes);
    }
  }

  /**
   * The dialect {@code event}, the system's clock, {@link Durability#PROCESS}, a group delay of 100
   * ms, one file however long, and {@link TamperEvidence#defaults}.
   */
  public static WriterOptions defaults() {
    return new WriterOptions(
        Dialect.EVENT,
        Clock.systemUTC(),
        Durability.PROCESS,
        DEFAULT_GROUP_DELAY,
        Long.MAX_VALUE,
        TamperEvidence.defaults());
  }

  /** With another dialect. */
  public WriterOptions withDialect(Dialect newDialect) {
    return new WriterOptions(newDialect, clock, durability, groupDelay, maxPartBytes, evidence);
  }

  /** With another clock. */
  public WriterOptions withClock(Clock newClock) {
    return new WriterOptions(dialect, newClock, durability, groupDelay, maxPartBytes, evidence);
  }

  /** With another durability. */
  public WriterOptions withDurability(Durability newDurability) {
    return new WriterOptions(dialect, clock, newDurability, groupDelay, maxPartBytes, evidence);
  }

  /** With another delay of {@link Durability#GROUP}. */
  public WriterOptions withGroupDelay(Duration newGroupDelay) {
    return new WriterOptions(dialect, clock, durability, newGroupDelay, maxPartBytes, evidence);
  }

  /** With another size, in bytes, at which a log goes on in another file. */
  public WriterOptions withMaxPartBytes(long newMaxPartBytes) {
    return new WriterOptions(dialect, clock, durability, groupDelay, newMaxPartBytes, evidence);
  }

  /** With other evidence. */
  public WriterOptions withEvidence(TamperEvidence newEvidence) {
    return new WriterOptions(dialect, clock, durability, groupDelay, maxPartBytes, newEvidence);
  }
}
