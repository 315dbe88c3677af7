package dev.agentreplay.verify;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.verify.VerificationReport.Counter;
import org.jspecify.annotations.Nullable;

/**
 * A value held against the hash beside it.
 *
 * @param outcome what came of it
 * @param computed the hash of the value; null when there is no value, or it has no canonical form
 */
record HashCheck(Outcome outcome, @Nullable ContentHash computed) {

  enum Outcome {
    VERIFIED,
    MISMATCHED,
    UNVERIFIABLE,
    MISSING
  }

  static HashCheck of(@Nullable ContentHash computed, @Nullable ContentHash stated) {
    Outcome outcome = stated == null
        ? Outcome.MISSING
        : stated.equals(computed) ? Outcome.VERIFIED : Outcome.MISMATCHED;
    return new HashCheck(outcome, computed);
  }

  /** Whether the value does not contradict the hash. */
  boolean isSound() {
    return outcome != Outcome.MISMATCHED;
  }

  /** One of four, by the outcome. */
  Counter of(Counter verified, Counter mismatched, Counter unverifiable, Counter missing) {
    return switch (outcome) {
      case VERIFIED -> verified;
      case MISMATCHED -> mismatched;
      case UNVERIFIABLE -> unverifiable;
      case MISSING -> missing;
    };
  }
}
