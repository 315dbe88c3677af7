package dev.agentreplay.sandbox;

import java.util.concurrent.TimeUnit;

/**
 * The pace of a measurement: there is a rest after each, which is longer for one that takes longer,
 * so that measurements take at most a part of the time. Used by one thread.
 */
final class Pace {

  private static final int REST_FACTOR = 20;

  private final long restNanos;
  private long startedAt;
  private long endedAt;

  /** Creates a pace; the first measurement is due when the first rest has passed. */
  Pace(long restMillis) {
    this.restNanos = TimeUnit.MILLISECONDS.toNanos(restMillis);
    this.startedAt = System.nanoTime();
    this.endedAt = startedAt;
  }

  boolean isDue() {
    long rest = Math.max(restNanos, REST_FACTOR * (endedAt - startedAt));
    return System.nanoTime() - endedAt >= rest;
  }

  /** Whether the rest is longer than the last measurement, if that is urgent. */
  boolean isDueUrgently() {
    return System.nanoTime() - endedAt > endedAt - startedAt;
  }

  void start() {
    startedAt = System.nanoTime();
  }

  void end() {
    endedAt = System.nanoTime();
  }
}
