package dev.agentreplay.engine.diff;

import org.jspecify.annotations.Nullable;

/** One of two sessions that were compared. */
public sealed interface ComparedSession permits Results.ComparedSessionData {

  /** The name in reports: its path, unless another name was given. */
  String name();

  /** Its id; null when the log names none. */
  @Nullable
  String sessionId();

  /** The number of events in its log. */
  long events();

  /** The sum of the latencies of its calls, in milliseconds. */
  long latencyMillis();
}
