package dev.agentreplay.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event that this version does not know, or that lacks what identifies it. Its members are in
 * {@link Meta#extra()}, and are written back as they are.
 *
 * @param type what the log calls it; empty when it has no type
 * @param meta what every event has
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
