package dev.agentreplay.springai.boot;

import dev.agentreplay.engine.replay.AgentScope;
import org.jspecify.annotations.Nullable;

/**
 * The source of the scope that records or replays the calls of an application: of the running test,
 * or of the replay of the whole application. A bean of this type takes the place of the properties.
 * It is called for each call of a chat client, and by several threads.
 */
@FunctionalInterface
public interface ScopeSource {

  /**
   * The scope of a call that begins now; null if it is neither recorded nor replayed.
   *
   * @throws IllegalStateException if no call may be made now, such as between two tests
   */
  @Nullable
  AgentScope scope();

  /**
   * Whether the session is that of one call of a chat client, whose end is then the end of the
   * session. By default it is not.
   */
  default boolean isOneCall() {
    return false;
  }
}
