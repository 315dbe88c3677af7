package dev.agentreplay.verify;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.verify.VerificationReport.Counter;
import org.jspecify.annotations.Nullable;

/**
 * The result of checking a value against its hash.
 *
 * @param outcome the outcome
 * @param computed the hash of the value; null when the value is missing or has no canonical form
 */
record HashCheck(Outcome outcome, @Nullable ContentHash computed) {

  enum Outcome {
    VERIFIED,
    MISMATCHED,
    UNVERIFIABLE,
    MISSING
  }

  /** The result where neither a value nor a hash is checked. */
  static final HashCheck NONE = new HashCheck(Outcome.MISSING, null);

  /** The result where the hash cannot be checked, if there is one. */
  static HashCheck unverifiable(@Nullable ContentHash stated) {
    return stated == null ? NONE : new HashCheck(Outcome.UNVERIFIABLE, null);
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

  /** Returns the counter for the outcome. */
  Counter of(Counter verified, Counter mismatched, Counter unverifiable, Counter missing) {
    return switch (outcome) {
      case VERIFIED -> verified;
      case MISMATCHED -> mismatched;
      case UNVERIFIABLE -> unverifiable;
      case MISSING -> missing;
    };
  }
}
