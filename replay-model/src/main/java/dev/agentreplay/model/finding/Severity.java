package dev.agentreplay.model.finding;

import java.util.Locale;

/** The severity of a finding, in descending order. */
public enum Severity {
  /** The bytes cannot be read as a log or receipt. */
  UNREADABLE,
  /** The recording contradicts itself or its receipt, or breaks the format. */
  ERROR,
  /** A deviation that occurs in valid logs of real producers. */
  WARNING,
  /** A fact that is not a fault. */
  INFO;

  /** The name of the severity in reports, in lower case. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
