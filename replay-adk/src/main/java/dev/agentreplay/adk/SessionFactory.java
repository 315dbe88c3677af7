package dev.agentreplay.adk;

import com.google.adk.agents.InvocationContext;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.SessionStart;
import java.io.IOException;

/**
 * Starts the session of a run, with a directory and an id of its choice:
 *
 * <pre>{@code
 * SessionFactory byUser = (invocation, start) -> SessionRecorder.start(
 *     sessions.resolve(invocation.userId() + "-" + start.meta().sessionId()),
 *     start,
 *     RecorderOptions.defaults());
 * }</pre>
 *
 * <p>Must be safe for use by several threads if several threads run agents.
 */
@FunctionalInterface
public interface SessionFactory {

  /**
   * Starts the session of one run. The {@link AdkRecorder} ends and closes it.
   *
   * @param invocation the run that starts
   * @param start the proposed start of the session: its id is that of the invocation, its task the
   *     text of the user, its user the user's id, its tags the app, the agent and the session of
   *     the kit; may be changed
   * @throws IOException if the session cannot be started; the run is not recorded then
   */
  SessionRecorder start(InvocationContext invocation, SessionStart start) throws IOException;
}
