package dev.agentreplay.engine.replay.policy;

import java.util.Locale;

/**
 * The mode of a replay: the preset of its {@link ReplayPolicy} (specification 003, FR-042c-20 to
 * 24).
 */
public enum ReplayMode {
  /**
   * Nothing runs: hashes, receipt and structure of the recording are verified, and it is compared
   * with another recording, if there is one. The default.
   */
  VALIDATION,
  /** The agent runs; models, tools and values are served from the recording. */
  MOCK,
  /** The agent runs on the recorded answers of models; its tools run, and are compared. */
  TOOLS_LIVE,
  /** The agent runs on the recorded results of tools; its models are called, and are compared. */
  MODEL_LIVE,
  /**
   * Everything runs and is compared, except tools with effects outside of the session. Without an
   * agent, the recorded requests are issued in order.
   */
  FULL,
  /**
   * Each recorded call is issued again by itself, in its own recorded context, and compared: an
   * answer that differs does not affect later calls. There is no agent.
   */
  NODE;

  /** The name of the mode on the command line, in JSON and in the log, such as "tools-live". */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether a replay in this mode needs an agent. */
  public boolean needsAgent() {
    return this == MOCK || this == TOOLS_LIVE || this == MODEL_LIVE;
  }

  /** Whether a replay in this mode can have an agent. */
  public boolean takesAgent() {
    return needsAgent() || this == FULL;
  }
}
