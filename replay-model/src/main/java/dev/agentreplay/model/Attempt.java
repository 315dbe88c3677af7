package dev.agentreplay.model;

import org.jspecify.annotations.Nullable;

/**
 * The attempt that a tool call is to cause an effect outside the session, such as a payment or a
 * message. All attempts to cause one effect have its id, which the called system can use as an
 * idempotency key; each of them is a call with its own id and result.
 *
 * @param number the number of the attempt, from 1; null for a first attempt that the log does not
 *     number
 * @param effectId the id of the effect, not blank; null when the call does not have one
 */
public record Attempt(@Nullable Long number, @Nullable String effectId) {

  /** A call of which neither is stated. */
  public static final Attempt NONE = new Attempt(null, null);

  /** Creates the first attempt to cause an effect. */
  public static Attempt first(String effectId) {
    return new Attempt(1L, effectId);
  }

  /** Returns the attempt that follows this one; an attempt without a number counts as the first. */
  public Attempt next() {
    return new Attempt(number == null ? 2L : number + 1, effectId);
  }
}
