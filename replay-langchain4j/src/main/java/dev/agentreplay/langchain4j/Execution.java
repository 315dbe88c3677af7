package dev.agentreplay.langchain4j;

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
record Execution<T>(ReplayEvent event, @Nullable T value, @Nullable Throwable thrown) {

  /** Returns the execution if the agent is to get its result, not a recorded one in its place. */
  static <T> @Nullable Execution<T> ifAnswer(@Nullable Execution<T> execution, ReplayEvent result) {
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
