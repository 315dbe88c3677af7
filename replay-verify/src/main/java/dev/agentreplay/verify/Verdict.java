package dev.agentreplay.verify;

/** What a verification came to. */
public enum Verdict {
  /** Something was checked, and nothing is wrong. */
  VALID,
  /** Nothing is wrong, but nothing could be checked, or not what the policy requires. */
  UNVERIFIED,
  /** The log contradicts itself or its receipt. */
  INVALID,
  /** The log or its receipt cannot be read. */
  UNREADABLE
}
