package dev.agentreplay.engine.replay;

/**
 * Thrown to the agent when it requests something of a replay that was stopped: aborted, timed out,
 * over its budget, or stopped by an earlier miss or divergence; or of one that has ended.
 */
public final class ReplayStoppedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  ReplayStoppedException(String message) {
    super(message);
  }
}
