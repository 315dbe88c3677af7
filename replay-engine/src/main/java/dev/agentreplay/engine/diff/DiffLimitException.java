package dev.agentreplay.engine.diff;

import java.io.IOException;
import java.util.Locale;

/** Thrown when a session has more steps than {@link DiffLimits#maxSteps} allows. */
public final class DiffLimitException extends IOException {

  private static final long serialVersionUID = 1L;

  private final int maxSteps;

  DiffLimitException(String session, int maxSteps, long line) {
    super(String.format(
        Locale.ROOT,
        "%s: line %d: the session has more than %d steps, the limit maxSteps",
        session,
        line,
        maxSteps));
    this.maxSteps = maxSteps;
  }

  /** The limit that was exceeded. */
  public int maxSteps() {
    return maxSteps;
  }
}
