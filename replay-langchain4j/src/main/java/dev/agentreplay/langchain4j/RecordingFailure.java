package dev.agentreplay.langchain4j;

import java.util.Objects;

/**
 * Something was not recorded. The agent went on as if it had been.
 *
 * @param session the directory of the session, or the id of the invocation that has none
 * @param event what was not recorded, such as "ToolCall"
 * @param cause why
 */
public record RecordingFailure(String session, String event, Throwable cause) {

  /** Checks for null. */
  public RecordingFailure {
    Objects.requireNonNull(session, "session");
    Objects.requireNonNull(event, "event");
    Objects.requireNonNull(cause, "cause");
  }
}
