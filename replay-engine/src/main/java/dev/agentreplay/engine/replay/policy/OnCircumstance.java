package dev.agentreplay.engine.replay.policy;

/**
 * The behavior of a replay when a circumstance differs from the recorded one, such as the version
 * of the runtime, the model, or the working directory.
 */
public enum OnCircumstance {
  /** The report names it. The default. */
  REPORT,
  /**
   * The report names it, and its verdict is at best
   * {@link dev.agentreplay.engine.replay.ReplayVerdict#UNVERIFIED}.
   */
  UNVERIFIED,
  /** The replay is refused before anything runs, unless it is forced. */
  REFUSE
}
