package dev.agentreplay.verify;

/** What a policy may insist on. */
public enum Requirement {
  /** At least one recorded value was held against its hash. */
  HASHES,
  /** There is a receipt. */
  RECEIPT,
  /** The session has an end. */
  SESSION_END
}
