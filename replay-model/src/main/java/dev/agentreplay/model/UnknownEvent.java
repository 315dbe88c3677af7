package dev.agentreplay.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event of a type that this version does not know, or without the members that identify it. Its
 * members are in {@link Meta#extra()} and are written back unchanged.
 *
 * @param type the type of the event in the log; empty when it does not have one
 * @param meta the data common to all events
 */
public record UnknownEvent(String type, Meta meta) implements ReplayEvent {

  /** Checks for null. */
  public UnknownEvent {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(meta, "meta");
  }

  @Override
  public EventKind kind() {
    return EventKind.UNKNOWN;
  }

  @Override
  public @Nullable String name() {
    return type.isEmpty() ? null : type;
  }

  @Override
  public UnknownEvent withMeta(Meta newMeta) {
    return new UnknownEvent(type, newMeta);
  }
}
