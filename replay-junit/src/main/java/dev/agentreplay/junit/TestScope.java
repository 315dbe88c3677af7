package dev.agentreplay.junit;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.io.session.Session;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The agent scope of a test, which replays the recording or makes it. */
sealed interface TestScope extends Closeable permits TestReplay, TestRecording {

  /** The scope. */
  AgentScope scope();

  /**
   * Ends the replay or the recording of a test whose method has returned.
   *
   * @throws AssertionError if the test fails because of it
   */
  void passed() throws IOException;

  /**
   * Ends the replay or the recording of a test whose method has thrown an exception. Returns the
   * exception for the test to fail with.
   */
  Throwable failed(Throwable failure);

  /** The session of this run; null if it cannot be read. */
  @Nullable
  Session session();
}
