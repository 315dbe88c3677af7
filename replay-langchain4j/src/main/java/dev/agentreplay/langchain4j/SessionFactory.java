package dev.agentreplay.langchain4j;

import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.SessionStart;
import dev.langchain4j.observability.api.event.AiServiceStartedEvent;
import java.io.IOException;

/**
 * Starts the session of an invocation, with a directory and an id of its choice:
 *
 * <pre>{@code
 * SessionFactory byMethod = (event, start) -> SessionRecorder.start(
 *     sessions.resolve(event.invocationContext().methodName() + "-" + start.meta().sessionId()),
 *     start,
 *     RecorderOptions.defaults());
 * }</pre>
 *
 * <p>Must be safe for use by several threads if several threads use the service.
 */
@FunctionalInterface
public interface SessionFactory {

  /**
   * Starts the session of one invocation. The {@link AiServiceRecorder} ends and closes it.
   *
   * @param event the start of the invocation
   * @param start the proposed start of the session: its id is the id of the invocation, its task
   *     the user message, its instructions the system message, its tags the service, the method and
   *     the chat memory; may be changed
   * @throws IOException if the session cannot be started; the invocation is not recorded then
   */
  SessionRecorder start(AiServiceStartedEvent event, SessionStart start) throws IOException;
}
