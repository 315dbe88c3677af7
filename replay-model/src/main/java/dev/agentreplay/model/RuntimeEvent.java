package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event of the runtime below the agent.
 *
 * @param seq its number in the stream of the runtime
 * @param type what the runtime calls it
 * @param payload what it says
 * @param idempotencyKey what makes it recognisable when it is delivered twice
 * @param meta what every event has
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

  /** An event of this type. */
  public static RuntimeEvent of(long seq, String type, JsonValue payload) {
    return new RuntimeEvent(seq, type, Content.of(payload), null, Meta.NONE);
  }

  /** With another payload, or what stands for it. */
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
