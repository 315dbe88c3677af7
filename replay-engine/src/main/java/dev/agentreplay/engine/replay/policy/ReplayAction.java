package dev.agentreplay.engine.replay.policy;

import java.util.Locale;

/** The treatment of an exchange by a replay. */
public enum ReplayAction {
  /** Answered from the recording; nothing runs. */
  SERVE,
  /** The tool or model runs; its result is not compared when it arrives. */
  EXECUTE,
  /** The tool or model runs; its result is compared with the recorded one. */
  EXECUTE_AND_COMPARE,
  /**
   * Neither served nor run: the agent gets an
   * {@link dev.agentreplay.engine.replay.ExchangeRefusedException}.
   */
  REFUSE;

  /** The text of the constant in JSON and in reports. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether the tool or model runs. */
  public boolean executes() {
    return this == EXECUTE || this == EXECUTE_AND_COMPARE;
  }
}
