package dev.agentreplay.io;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Position;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Timestamp;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What was written of an event, and where.
 *
 * @param event the event as it was given, with totals filled in at the end of a session
 * @param position where its line begins
 * @param time the time that was written
 * @param contentHash the hash of its parameters, output or payload; null for events that have none
 */
public record WrittenEvent(
    ReplayEvent event, Position position, Timestamp time, @Nullable ContentHash contentHash) {

  /** Checks for null. */
  public WrittenEvent {
    Objects.requireNonNull(event, "event");
    Objects.requireNonNull(position, "position");
    Objects.requireNonNull(time, "time");
  }
}
