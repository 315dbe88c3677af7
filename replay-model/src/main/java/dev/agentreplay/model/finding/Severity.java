package dev.agentreplay.model.finding;

import java.util.Locale;

/** How bad a finding is, worst first. */
public enum Severity {
  /** The bytes are not a log, or not a receipt: what they say cannot be known. */
  UNREADABLE,
  /** What is recorded contradicts itself or its receipt. */
  ERROR,
  /** Happens in real logs, and is worth knowing. */
  WARNING,
  /** For information. */
  INFO;

  /** The text of the constant in reports. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
