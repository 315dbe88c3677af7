package dev.agentreplay.verify;

import java.util.Locale;

/** The verdict of a verification. */
public enum Verdict {
  /**
   * At least one check succeeded, every requirement is met, and no finding fails under the policy.
   */
  VALID,
  /**
   * No finding fails under the policy, but nothing could be checked, or not all that the policy
   * requires.
   */
  UNVERIFIED,
  /** A finding fails under the policy: for example, the log contradicts its receipt. */
  INVALID,
  /** The log or its receipt cannot be read. */
  UNREADABLE;

  /** The text of the constant in reports. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
