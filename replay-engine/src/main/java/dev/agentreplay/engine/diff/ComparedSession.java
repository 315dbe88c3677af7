package dev.agentreplay.engine.diff;

import org.jspecify.annotations.Nullable;

/** One of the two sessions of a comparison. */
public sealed interface ComparedSession permits Results.ComparedSessionData {

  /** The name in reports: the path of the log, unless {@link SessionDiff#withNames} set another. */
  String name();

  /** The id of the session; null when the log does not state one. */
  @Nullable
  String sessionId();

  /** The number of events in the log. */
  long events();

  /** The sum of the latencies of its tool results, in milliseconds. */
  long latencyMillis();

  /** The policy under which it was published; null if it is not a published copy. */
  @Nullable
  String policy();
}
