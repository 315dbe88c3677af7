package dev.agentreplay.engine.diff;

import java.util.Locale;

/** The severity of a divergence, in ascending order. */
public enum DivergenceSeverity {
  /** Identical, or of the same meaning. */
  NONE,
  /** Other words, the same meaning. */
  MINOR,
  /** Another approach, similar conclusions. */
  MODERATE,
  /** Other conclusions. */
  MAJOR;

  /** The text of the constant in JSON, in reports and on the command line. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
