package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A payment for a job.
 *
 * @param rail the payment network
 * @param assetId the id of the asset that was paid with
 * @param amountMsats the amount in thousandths of a satoshi, not negative
 * @param proof the proof of payment: any value, such as a text or an object of the provider
 * @param jobHash the hash of the job that was paid for
 * @param status the status of the payment
 * @param meta the data common to all events
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

  /** Creates a payment of an amount in thousandths of a satoshi. */
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
