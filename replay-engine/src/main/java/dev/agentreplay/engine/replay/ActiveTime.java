package dev.agentreplay.engine.replay;

/** The time since the start of a replay, without pauses. Safe for use by several threads. */
final class ActiveTime {

  private final ReplayControl control;
  private final long pausedBefore;
  private final long startNanos;

  ActiveTime(ReplayControl control) {
    this.control = control;
    this.pausedBefore = control.pausedNanos();
    this.startNanos = System.nanoTime();
  }

  /** The time in nanoseconds. */
  long nanos() {
    // a pause that begins or continues between the two readings is longer than the first
    return Math.max(0, System.nanoTime() - startNanos - (control.pausedNanos() - pausedBefore));
  }

  /** The time in microseconds. */
  long micros() {
    return nanos() / 1_000;
  }
}
