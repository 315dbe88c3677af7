package dev.agentreplay.engine.agreement;

import java.util.Locale;

/** How steady a step is over several runs, from what is least to be looked at to what is most. */
public enum Stability {
  /** All runs agree with the left session. */
  STABLE,
  /** Some runs agree with the left session, and some do not. */
  FLAKY,
  /** No run agrees with the left session, nor do all of them agree with each other. */
  UNSTABLE,
  /** No run agrees with the left session, and all agree with each other: the behaviour changed. */
  REGRESSION;

  /** The text of the constant in reports. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
