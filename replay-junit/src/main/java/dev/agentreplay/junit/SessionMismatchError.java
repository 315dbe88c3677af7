package dev.agentreplay.junit;

import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.io.session.Session;
import org.opentest4j.AssertionFailedError;

/**
 * A session is not as it was recorded. Expected and actual are what both did as texts, of which an
 * IDE opens the difference.
 */
final class SessionMismatchError extends AssertionFailedError {
  private static final long serialVersionUID = 1L;

  private final transient SessionDiff diff;
  private final transient Session recording;
  private final transient Session actualSession;

  /**
   * A failure.
   *
   * @param failure what has its message and its stack trace
   * @param diff how they differ; left is the recording
   */
  SessionMismatchError(
      AssertionError failure, SessionDiff diff, Session recording, Session actualSession) {
    super(
        failure.getMessage(),
        SessionText.of(diff, SessionText.Side.RECORDING),
        SessionText.of(diff, SessionText.Side.ACTUAL));
    setStackTrace(failure.getStackTrace());
    this.diff = diff;
    this.recording = recording;
    this.actualSession = actualSession;
  }

  /** How they differ; left is the recording. */
  SessionDiff diff() {
    return diff;
  }

  /** What was recorded before. */
  Session recording() {
    return recording;
  }

  /** What was recorded now. */
  Session actualSession() {
    return actualSession;
  }
}
