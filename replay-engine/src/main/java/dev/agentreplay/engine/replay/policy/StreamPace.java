package dev.agentreplay.engine.replay.policy;

/** The pace at which the pieces of a recorded stream are served. */
public enum StreamPace {
  /** All pieces one after the other, without delay. The default. */
  AT_ONCE,
  /** Each piece as long after the call as in the recording. */
  RECORDED
}
