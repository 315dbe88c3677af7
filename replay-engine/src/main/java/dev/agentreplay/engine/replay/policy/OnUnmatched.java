package dev.agentreplay.engine.replay.policy;

import java.util.Locale;

/** The behavior of a replay when no recorded exchange matches a request that is to be served. */
public enum OnUnmatched {
  /**
   * The agent gets a {@link dev.agentreplay.engine.replay.ReplayMissException}, and the replay
   * stops. The default.
   */
  STOP,
  /**
   * The agent gets a {@link dev.agentreplay.engine.replay.ReplayMissException}, and later requests
   * are matched as before.
   */
  ERROR,
  /**
   * The exchange at the same place is served, if it is of the same tool, or of a model: the
   * difference is a divergence. Otherwise as with {@link #ERROR}.
   */
  POSITION;

  /** The name of the constant on the command line. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
