package dev.agentreplay.records.replay;

import java.util.Locale;

/** The verdict on the replay of a session record. */
public enum SessionReplayVerdict {
  /** All rounds were replayed, all messages compared, and the thresholds are reached. */
  MATCHED,
  /** All rounds were replayed and all messages compared, and a threshold is not reached. */
  DIVERGED,
  /**
   * Messages cannot be compared, because their hashes differ and a text is missing or the judge
   * failed; or there is no message to compare.
   */
  UNDECIDED,
  /** Not all rounds were replayed: an agent failed, or a time-out or a budget was reached. */
  INCOMPLETE;

  /** The name of the constant in reports. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
