package dev.agentreplay.engine.attribution;

import java.util.Locale;

/** The verdict of an attribution. */
public enum AttributionVerdict {
  /** The recordings have the same outcome. */
  EQUAL,
  /** A minimal set of differences was found with which the outcome is that of the second. */
  EXPLAINED,
  /**
   * With all differences together the outcome is not that of the second recording: it has a reason
   * that is not in what the recordings state about requests, results and values.
   */
  UNEXPLAINED,
  /** Without any difference the outcome is not that of the first: the agent is not that of it. */
  NOT_REPRODUCED,
  /**
   * Not decided: requests were neither recorded nor executed, or their execution failed, the limits
   * were reached, it was aborted, or repetitions disagree.
   */
  UNDECIDED;

  /** The text of the constant in JSON and in reports. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
