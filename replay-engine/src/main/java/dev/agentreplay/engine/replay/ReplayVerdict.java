package dev.agentreplay.engine.replay;

import java.util.Locale;

/** The verdict of a replay. */
public enum ReplayVerdict {
  /** Everything was exchanged as in the recording. */
  IDENTICAL,
  /** There are divergences. */
  DIVERGED,
  /**
   * The replay did not reach the end: it was aborted, timed out or over its budget, or the
   * recording has no end, gaps, or a call without a result.
   */
  INCOMPLETE,
  /**
   * No divergence was found, but nothing was exchanged, not all that should be was executed, or the
   * recording is not valid and its replay was forced.
   */
  UNVERIFIED;

  /** The text of the constant in JSON and in reports. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
