package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event of the runtime that the agent runs in.
 *
 * @param seq the number of the event in the stream of the runtime
 * @param type the runtime's name for this type of event
 * @param payload the payload
 * @param idempotencyKey the key that identifies the event when it is delivered more than once
 * @param meta the data common to all events
 */
public record RuntimeEvent(
    @Nullable Long seq,
    @Nullable String type,
    Content payload,
    @Nullable String idempotencyKey,
    Meta meta)
    implements ReplayEvent {

  /** Checks for null. */
  public RuntimeEvent {
    Objects.requireNonNull(payload, "payload");
    Objects.requireNonNull(meta, "meta");
  }

  /** Creates an event of a type. */
  public static RuntimeEvent of(long seq, String type, JsonValue payload) {
    return new RuntimeEvent(seq, type, Content.of(payload), null, Meta.NONE);
  }

  /** Returns a copy with the given payload. */
  public RuntimeEvent withPayload(Content newPayload) {
    return new RuntimeEvent(seq, type, newPayload, idempotencyKey, meta);
  }

  @Override
  public EventKind kind() {
    return EventKind.RUNTIME_EVENT;
  }

  @Override
  public Content content() {
    return payload;
  }

  @Override
  public @Nullable String name() {
    return type;
  }

  @Override
  public RuntimeEvent withMeta(Meta newMeta) {
    return new RuntimeEvent(seq, type, payload, idempotencyKey, newMeta);
  }
}
