package dev.agentreplay.engine.diff;

import java.util.Locale;

/** The severity of a divergence, in ascending order. */
public enum DivergenceSeverity {
  /** Identical, or different in a way that does not matter. */
  NONE,
  /** Different words with the same meaning. */
  MINOR,
  /** A different approach with similar conclusions. */
  MODERATE,
  /** Different conclusions. */
  MAJOR;

  /** The text of the constant in JSON, in reports and on the command line. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
