package dev.agentreplay.langchain4j;

import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.SessionStart;
import dev.langchain4j.observability.api.event.AiServiceStartedEvent;
import java.io.IOException;

/**
 * Decides where the session of an invocation is kept, and under which id:
 *
 * <pre>{@code
 * SessionFactory byMethod = (event, start) -> SessionRecorder.start(
 *     sessions.resolve(event.invocationContext().methodName() + "-" + start.meta().sessionId()),
 *     start,
 *     RecorderOptions.defaults());
 * }</pre>
 *
 * <p>Must be safe for use by several threads, if the service is used by several.
 */
@FunctionalInterface
public interface SessionFactory {

  /**
   * Starts the session of one invocation, which the {@link AiServiceRecorder} ends and closes.
   *
   * @param event what begins
   * @param start the invocation's id as the session's, the user's message as the task, the system
   *     message as its instructions; may be changed
   * @throws IOException if the session cannot be started; the invocation is not recorded then
   */
  SessionRecorder start(AiServiceStartedEvent event, SessionStart start) throws IOException;
}
