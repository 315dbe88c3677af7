package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.model.Timestamp;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;

/**
 * The options for writing a log. Immutable.
 *
 * @param dialect the dialect of the log
 * @param clock the source of times of events that have none
 * @param durability the failures that a written event survives
 * @param forceInterval the time that {@link Durability#INTERVAL} waits after a write, or after the
 *     previous fsync, before it starts the next one: from 1 ms to 1 h; 100 ms by default. An event
 *     is unforced for this time plus the duration of up to two fsyncs
 * @param maxSegmentBytes the maximum size of a segment in bytes; the writer rotates before
 *     exceeding it, if it can: a line is never split. Unlimited by default
 * @param evidence the data that makes later changes of the log detectable
 */
public record WriterOptions(
    Dialect dialect,
    Clock clock,
    Durability durability,
    Duration forceInterval,
    long maxSegmentBytes,
    TamperEvidenceOptions evidence) {

  private static final Duration DEFAULT_FORCE_INTERVAL = Duration.ofMillis(100);
  private static final Duration MAX_GROUP_DELAY = Duration.ofHours(1);

  /**
   * Checks for null, and the ranges.
   *
   * @throws IllegalArgumentException unless the interval is from 1 ms to 1 h, and the maximum size
   *     is positive
   */
  public WriterOptions {
    Objects.requireNonNull(dialect, "dialect");
    Objects.requireNonNull(clock, "clock");
    Objects.requireNonNull(durability, "durability");
    Objects.requireNonNull(evidence, "evidence");
    if (forceInterval.compareTo(Duration.ofMillis(1)) < 0
        || forceInterval.compareTo(MAX_GROUP_DELAY) > 0) {
      throw new IllegalArgumentException(
          "forceInterval must be from 1 ms to 1 h: " + forceInterval);
    }
    if (maxSegmentBytes <= 0) {
      throw new IllegalArgumentException("maxSegmentBytes must be positive: " + maxSegmentBytes);
    }
  }

  /**
   * The default options: the dialect {@code event}, the system clock, {@link Durability#WRITTEN},
   * an interval of 100 ms, one segment of any size, and {@link TamperEvidenceOptions#defaults}.
   */
  public static WriterOptions defaults() {
    return new WriterOptions(
        Dialect.EVENT,
        Clock.systemUTC(),
        Durability.WRITTEN,
        DEFAULT_FORCE_INTERVAL,
        Long.MAX_VALUE,
        TamperEvidenceOptions.defaults());
  }

  /** The time of an event that has none and is written now. */
  Timestamp now() {
    return Timestamp.of(clock.instant());
  }

  /** Returns these options with a different dialect. */
  public WriterOptions withDialect(Dialect newDialect) {
    return new WriterOptions(
        newDialect, clock, durability, forceInterval, maxSegmentBytes, evidence);
  }

  /** Returns these options with a different clock. */
  public WriterOptions withClock(Clock newClock) {
    return new WriterOptions(
        dialect, newClock, durability, forceInterval, maxSegmentBytes, evidence);
  }

  /** Returns these options with a different durability. */
  public WriterOptions withDurability(Durability newDurability) {
    return new WriterOptions(
        dialect, clock, newDurability, forceInterval, maxSegmentBytes, evidence);
  }

  /** Returns these options with a different interval of {@link Durability#INTERVAL}. */
  public WriterOptions withForceInterval(Duration newForceInterval) {
    return new WriterOptions(
        dialect, clock, durability, newForceInterval, maxSegmentBytes, evidence);
  }

  /** Returns these options with a different maximum size of a segment, in bytes. */
  public WriterOptions withMaxSegmentBytes(long newMaxSegmentBytes) {
    return new WriterOptions(
        dialect, clock, durability, forceInterval, newMaxSegmentBytes, evidence);
  }

  /** Returns these options with different evidence. */
  public WriterOptions withEvidence(TamperEvidenceOptions newEvidence) {
    return new WriterOptions(
        dialect, clock, durability, forceInterval, maxSegmentBytes, newEvidence);
  }
}
