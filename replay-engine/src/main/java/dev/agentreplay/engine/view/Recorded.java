package dev.agentreplay.engine.view;

import dev.agentreplay.model.ReplayEvent;
import java.util.Objects;

/**
 * An event with its place in the log.
 *
 * @param line the number of the line, from 1
 * @param event the event
 * @param <E> the type of the event
 */
public record Recorded<E extends ReplayEvent>(long line, E event) {

  /** Checks for null. */
  public Recorded {
    Objects.requireNonNull(event, "event");
  }
}
