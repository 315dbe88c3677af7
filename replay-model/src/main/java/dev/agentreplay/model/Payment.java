package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A payment was made for a job.
 *
 * @param rail the network it went over
 * @param assetId what was paid with
 * @param amountMsats the amount in thousandths of a satoshi, not negative
 * @param proof proof of payment: any value, such as a text or an object of the provider
 * @param jobHash the job that was paid for
 * @param status how it ended
 * @param meta what every event has
 */
public record Payment(
    @Nullable String rail,
    @Nullable String assetId,
    @Nullable Long amountMsats,
    @Nullable JsonValue proof,
    @Nullable String jobHash,
    @Nullable Status status,
    Meta meta)
    implements ReplayEvent {

  /** Checks for null. */
  public Payment {
    Objects.requireNonNull(meta, "meta");
  }

  /** A payment of so many thousandths of a satoshi. */
  public static Payment of(String rail, String assetId, long amountMsats, Status status) {
    return new Payment(rail, assetId, amountMsats, null, null, status, Meta.NONE);
  }

  @Override
  public EventKind kind() {
    return EventKind.PAYMENT;
  }

  @Override
  public @Nullable Boolean succeeded() {
    return status == null ? null : status.isSuccess();
  }

  @Override
  public Payment withMeta(Meta newMeta) {
    return new Payment(rail, assetId, amountMsats, proof, jobHash, status, newMeta);
  }
}
