package dev.agentreplay.springai;

import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.SessionStart;
import java.io.IOException;

/**
 * Starts the session of a call of a chat client, with a directory and an id of its choice. Must be
 * safe for use by several threads if several threads use the client.
 */
@FunctionalInterface
public interface SessionFactory {

  /**
   * Starts the session of one call. The {@link SpringAiRecorder} ends and closes it.
   *
   * @param start the proposed start of the session: its id is generated, its task the user message,
   *     its instructions the system message, its tags the conversation and the parent; may be
   *     changed
   * @throws IOException if the session cannot be started; the call is not recorded then
   */
  SessionRecorder start(SessionStart start) throws IOException;
}
