package dev.agentreplay.verify;

import java.util.Locale;

/** The verdict of a verification. */
public enum Verdict {
  /** At least one check was made, and nothing is wrong. */
  VALID,
  /** Nothing is wrong, but nothing could be checked, or not all that the policy requires. */
  UNVERIFIED,
  /** A finding that fails under the policy: for example, the log contradicts its receipt. */
  INVALID,
  /** The log or its receipt cannot be read. */
  UNREADABLE;

  /** The text of the constant in reports. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
