package dev.agentreplay.io.agent;

import java.util.Objects;

/**
 * A failure to record an event. The agent was not affected.
 *
 * @param session the directory of the session, or the id of an invocation without a session
 * @param event the kind of event or the file that was not recorded, such as "ToolCall"
 * @param cause the cause of the failure
 */
public record RecordingFailure(String session, String event, Throwable cause) {

  /** Creates a failure. */
  public RecordingFailure {
    Objects.requireNonNull(session, "session");
    Objects.requireNonNull(event, "event");
    Objects.requireNonNull(cause, "cause");
  }
}
