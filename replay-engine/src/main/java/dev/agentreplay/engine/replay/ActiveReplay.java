package dev.agentreplay.engine.replay;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A replay whose agent runs on threads of the caller.
 *
 * <pre>{@code
 * try (ActiveReplay replay = Replay.of(session).mode(ReplayMode.MOCK).start()) {
 *   JsonValue file = replay.scope().call("read_file", Map.of("path", "src/auth.rs"));
 *   ReplayReport report = replay.finish();
 * }
 * }</pre>
 *
 * <p>Safe for use by several threads.
 */
public final class ActiveReplay implements Closeable {

  private final RunningReplay replay;

  ActiveReplay(RunningReplay replay) {
    this.replay = replay;
  }

  /** The scope from which the agent takes its models, tools and values. */
  public AgentScope scope() {
    return replay.scope();
  }

  /**
   * Ends the replay after the agent has returned, and reports on it. Later calls return the same
   * report.
   *
   * @throws IOException if the replay cannot be written or compared
   */
  public ReplayReport finish() throws IOException {
    return finish(null);
  }

  /**
   * Ends the replay after the agent has thrown an exception, and reports on it.
   *
   * @param failure the exception; null if the agent returned
   * @throws IOException if the replay cannot be written or compared
   */
  public ReplayReport finish(@Nullable Throwable failure) throws IOException {
    return replay.finish(failure);
  }

  /** Ends the replay without a report, unless {@link #finish} was called. */
  @Override
  public void close() throws IOException {
    replay.close();
  }
}
