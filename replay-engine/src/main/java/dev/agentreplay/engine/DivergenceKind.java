package dev.agentreplay.engine;

/** How two calls, or two sessions, differ. */
public enum DivergenceKind {
  /** Another tool is called. */
  TOOL(Severity.MAJOR),
  /** The tool is called with other parameters. */
  PARAMS(Severity.MODERATE),
  /** The same call returns something else. */
  OUTPUT(Severity.MODERATE),
  /** A call of the left session is not in the right one. */
  MISSING(Severity.MAJOR),
  /** A call of the right session is not in the left one. */
  ADDED(Severity.MAJOR);

  /** How much a divergence matters. */
  public enum Severity {
    /** It matters. */
    MODERATE,
    /** The sessions go different ways. */
    MAJOR
  }

  private final Severity severity;

  DivergenceKind(Severity severity) {
    this.severity = severity;
  }

  /** How much it matters. */
  public Severity severity() {
    return severity;
  }
}
