package dev.agentreplay.verify;

import java.util.Locale;

/**
 * What a policy may insist on. None is met by a log that is empty or could not be read whole, save
 * {@link #HASHES} and {@link #RECEIPT}.
 */
public enum Requirement {
  /** At least one recorded value was held against its hash. */
  HASHES,
  /**
   * Every value that the log has a hash or a preview of is in the log or in a blob, and was checked
   * against it: parameters, outputs, prompts, answers and payloads.
   */
  VALUES,
  /** There is a receipt, and a call in it, or what it states of the log as a whole, is so. */
  RECEIPT,
  /** The root of a tree that covers every line was verified. */
  TREE,
  /**
   * A trusted key has signed every line. That it is every line that the session had is known only
   * when its receipt is signed, or {@link #SESSION_END} is required as well.
   */
  SIGNATURE,
  /** The session has an end. */
  SESSION_END,
  /** Each line is in its canonical form. */
  CANONICAL_LINES;

  /** The text of the constant in reports. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
