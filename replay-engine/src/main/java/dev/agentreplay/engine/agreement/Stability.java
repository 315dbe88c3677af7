package dev.agentreplay.engine.agreement;

import java.util.Locale;

/** The consistency of a step over several runs, in ascending order of concern. */
public enum Stability {
  /** All runs agree with the left session. */
  STABLE,
  /** Some runs agree with the left session and some do not. */
  FLAKY,
  /** No run agrees with the left session, and the runs do not all agree with each other. */
  UNSTABLE,
  /**
   * No run agrees with the left session, and all runs agree with each other: the behavior changed.
   */
  REGRESSION;

  /** The text of the constant in reports. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
