package dev.agentreplay.records.replay;

import java.util.Locale;

/** The behavior of a replay when its inputs differ from the recorded ones. */
public enum OnInputs {
  /** The report names them. The default. */
  WARN,
  /** The replay is refused before anything runs. */
  REFUSE;

  /** The name of the constant on the command line. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
