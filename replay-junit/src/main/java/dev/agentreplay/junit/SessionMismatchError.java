package dev.agentreplay.junit;

import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.io.session.Session;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/**
 * Thrown if a session does not match its recording. The expected and actual values are texts of
 * both sessions, whose difference an IDE can show.
 */
final class SessionMismatchError extends AssertionFailedError {
  private static final long serialVersionUID = 1L;

  private final transient SessionDiff diff;
  private final transient Session recording;
  private final transient Session actualSession;
  private final transient @Nullable ReplayReport report;

  /**
   * Creates an error.
   *
   * @param failure the failure with the message and the stack trace
   * @param diff the comparison; left is the recording
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
    this.report = null;
  }

  /**
   * Creates an error of a replay whose expected and actual values are texts of both sessions.
   *
   * @param diff the comparison; left is the recording
   */
  SessionMismatchError(
      String message,
      SessionDiff diff,
      Session recording,
      Session actualSession,
      ReplayReport report) {
    this(
        message,
        SessionText.of(diff, SessionText.Side.RECORDING),
        SessionText.of(diff, SessionText.Side.ACTUAL),
        diff,
        recording,
        actualSession,
        report);
  }

  /**
   * Creates an error of a replay with its own expected and actual values.
   *
   * @param diff the comparison; left is the recording
   */
  SessionMismatchError(
      String message,
      @Nullable String expected,
      @Nullable String found,
      SessionDiff diff,
      Session recording,
      Session actualSession,
      ReplayReport report) {
    super(message, expected, found);
    this.diff = diff;
    this.recording = recording;
    this.actualSession = actualSession;
    this.report = report;
  }

  /** The comparison; left is the recording. */
  SessionDiff diff() {
    return diff;
  }

  /** The report of the replay; null if the sessions were only compared. */
  @Nullable
  ReplayReport report() {
    return report;
  }

  /** The recording. */
  Session recording() {
    return recording;
  }

  /** The session of this run. */
  Session actualSession() {
    return actualSession;
  }
}
