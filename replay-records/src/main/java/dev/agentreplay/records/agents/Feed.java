package dev.agentreplay.records.agents;

import java.util.Locale;

/** The source of the messages that the agents of a replay are given. */
public enum Feed {
  /**
   * The recorded messages before its own: each agent is compared with itself, whatever the others
   * do. The default.
   */
  RECORDED,
  /** The messages of the replay: the agents run free. */
  REPLAYED;

  /** The name of the constant in reports and on the command line. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
