package dev.agentreplay.engine.replay.agent;

import dev.agentreplay.model.ReplayEvent;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The execution of a model, tool or retriever in a replay.
 *
 * @param event the event of its result
 * @param value the value that it returned; null if it threw, or returned null
 * @param thrown the exception that it threw; null if it returned
 */
public record Execution<T>(ReplayEvent event, @Nullable T value, @Nullable Throwable thrown) {

  /** Creates the execution of something that returned or threw. */
  public Execution {
    Objects.requireNonNull(event, "event");
  }

  /**
   * Returns the execution if the agent is to get its result, not a recorded one in its place;
   * otherwise null.
   *
   * @param execution the execution; null if nothing was executed
   * @param result the result that the replay returned
   */
  public static <T> @Nullable Execution<T> ifAnswer(
      @Nullable Execution<T> execution, ReplayEvent result) {
    return execution != null
            && Objects.equals(execution.event.succeeded(), result.succeeded())
            && Objects.equals(value(execution.event), value(result))
        ? execution
        : null;
  }

  private static @Nullable Object value(ReplayEvent event) {
    return event.content() == null ? null : event.content().value();
  }
}
