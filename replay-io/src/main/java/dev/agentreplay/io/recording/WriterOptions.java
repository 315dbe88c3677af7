package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.model.Timestamp;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;

/**
 * How a log is written.
 *
 * @param dialect the dialect to write
 * @param clock tells the time of events that have none
 * @param durability what an event that was written survives
 * @param forceInterval how long {@link Durability#INTERVAL} may leave an event unforced
 * @param maxSegmentBytes the maximum size of a segment in bytes; the writer rotates before
 *     exceeding it, if it can
 * @param evidence what is added so that a change of the log is found later
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
   * @throws IllegalArgumentException unless the delay is from 1 ms to 1 h, and the bytes are
   *     positive
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
   * The dialect {@code event}, the system's clock, {@link Durability#WRITTEN}, an interval of 100
   * ms, one file however long, and {@link TamperEvidenceOptions#defaults}.
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

  /** The time of an event that says none and is written now. */
  Timestamp now() {
    return Timestamp.of(clock.instant());
  }

  /** With another dialect. */
  public WriterOptions withDialect(Dialect newDialect) {
    return new WriterOptions(
        newDialect, clock, durability, forceInterval, maxSegmentBytes, evidence);
  }

  /** With another clock. */
  public WriterOptions withClock(Clock newClock) {
    return new WriterOptions(
        dialect, newClock, durability, forceInterval, maxSegmentBytes, evidence);
  }

  /** With another durability. */
  public WriterOptions withDurability(Durability newDurability) {
    return new WriterOptions(
        dialect, clock, newDurability, forceInterval, maxSegmentBytes, evidence);
  }

  /** With another interval of {@link Durability#INTERVAL}. */
  public WriterOptions withForceInterval(Duration newForceInterval) {
    return new WriterOptions(
        dialect, clock, durability, newForceInterval, maxSegmentBytes, evidence);
  }

  /** With another maximum size of a segment, in bytes. */
  public WriterOptions withMaxSegmentBytes(long newMaxSegmentBytes) {
    return new WriterOptions(
        dialect, clock, durability, forceInterval, newMaxSegmentBytes, evidence);
  }

  /** With other evidence. */
  public WriterOptions withEvidence(TamperEvidenceOptions newEvidence) {
    return new WriterOptions(
        dialect, clock, durability, forceInterval, maxSegmentBytes, newEvidence);
  }
}
