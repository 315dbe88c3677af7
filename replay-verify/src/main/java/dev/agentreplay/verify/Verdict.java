package dev.agentreplay.verify;

import java.util.Locale;

/** What a verification came to. */
public enum Verdict {
  /** Something was checked, and nothing is wrong. */
  VALID,
  /** Nothing is wrong, but nothing could be checked, or not what the policy requires. */
  UNVERIFIED,
  /**
   * Something was found that the policy does not let pass: the log contradicts its receipt, say.
   */
  INVALID,
  /** The log or its receipt cannot be read. */
  UNREADABLE;

  /** The text of the constant in reports. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
