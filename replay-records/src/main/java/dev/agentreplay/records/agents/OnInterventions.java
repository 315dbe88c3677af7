package dev.agentreplay.records.agents;

import java.util.Locale;

/** The behavior of a replay when operators intervened in the recorded session. */
public enum OnInterventions {
  /** The agents are given the recorded interventions. The default. */
  REAPPLY,
  /** The agents are not given them. */
  SKIP,
  /** The replay is refused before anything runs. */
  REFUSE;

  /** The name of the constant in reports and on the command line. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
