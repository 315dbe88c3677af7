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
 * @param event the event as it was written, but for the time and hashes below
 * @param position where its line begins
 * @param time the time that was written; null where the event has an additional member in its place
 * @param contentHash the hash of its parameters, output or payload; null for events that have none
 */
public record WrittenEvent(
    ReplayEvent event,
    Position position,
    @Nullable Timestamp time,
    @Nullable ContentHash contentHash) {

  /** Checks for null. */
  public WrittenEvent {
    Objects.requireNonNull(event, "event");
    Objects.requireNonNull(position, "position");
  }
}
