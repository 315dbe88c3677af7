package dev.agentreplay.model.signature;

import org.jspecify.annotations.Nullable;

/**
 * Knows the public keys that are trusted. Implementations are safe for use by several threads, and
 * answer {@link Outcome#UNKNOWN_KEY} rather than guess.
 */
@FunctionalInterface
public interface SignatureVerifier {

  /** What a signature is worth. */
  enum Outcome {
    /** It was made over this message with a trusted key. */
    VALID,
    /** It names a trusted key, and was not made with it over this message. */
    INVALID,
    /** It is not of a key, or not of an algorithm, that this verifier can check. */
    UNKNOWN_KEY
  }

  /** Trusts nobody. */
  SignatureVerifier NONE = (signature, message) -> Outcome.UNKNOWN_KEY;

  /**
   * The trusted key that made a signature.
   *
   * @param outcome what the signature is worth
   * @param keyId the id of the key if that is {@link Outcome#VALID}, else null
   */
  record Attribution(Outcome outcome, @Nullable String keyId) {

    /** It names a trusted key, but no trusted key made it. */
    public static final Attribution INVALID = new Attribution(Outcome.INVALID, null);

    /** It names no trusted key, and no trusted key made it. */
    public static final Attribution UNKNOWN = new Attribution(Outcome.UNKNOWN_KEY, null);

    /** Checks that there is a key exactly when it is valid. */
    public Attribution {
      if ((outcome == Outcome.VALID) != (keyId != null)) {
        throw new IllegalArgumentException("%s with the key %s".formatted(outcome, keyId));
      }
    }

    /** This trusted key made it. */
    public static Attribution to(String keyId) {
      return new Attribution(Outcome.VALID, keyId);
    }
  }

  /** What a signature over a message is worth. */
  Outcome verify(Signature signature, byte[] message);

  /**
   * Finds the trusted key that made a signature whose key is not known, or only from a hint that is
   * not signed, as in a DSSE envelope. A verifier that can go through its keys tries all of them;
   * this method tries the one that the hint names.
   *
   * @param algorithm the algorithm in lower case, such as {@value Signature#ED25519}
   * @param hint the id of the key that is said to have made it; any text, and empty if none is
   * @param value the signature itself
   */
  default Attribution attribute(String algorithm, String hint, byte[] value, byte[] message) {
    Signature named = Signature.tryOf(algorithm, hint, value);
    Outcome outcome = named == null ? Outcome.UNKNOWN_KEY : verify(named, message);
    return new Attribution(outcome, outcome == Outcome.VALID ? hint : null);
  }
}
