package dev.agentreplay.model.signature;

import org.jspecify.annotations.Nullable;

/**
 * Verifies signatures with the public keys that the caller trusts. {@link Ed25519Verifier}
 * implements it for Ed25519. Implementations are safe for use by several threads, and return
 * {@link Outcome#UNKNOWN_KEY} for a signature that they cannot check.
 */
@FunctionalInterface
public interface SignatureVerifier {

  /** The outcome of the verification of a signature. */
  enum Outcome {
    /** The signature was created over this message with a trusted key. */
    VALID,
    /** The signature names a trusted key, and was not created with it over this message. */
    INVALID,
    /** The signature is of a key or an algorithm that this verifier cannot check. */
    UNKNOWN_KEY
  }

  /** A verifier without trusted keys. */
  SignatureVerifier NONE = (signature, message) -> Outcome.UNKNOWN_KEY;

  /**
   * The trusted key that created a signature.
   *
   * @param outcome the outcome of the verification
   * @param keyId the id of the key if the outcome is {@link Outcome#VALID}, else null
   */
  record Attribution(Outcome outcome, @Nullable String keyId) {

    /** The signature names a trusted key, but was not created with a trusted key. */
    public static final Attribution INVALID = new Attribution(Outcome.INVALID, null);

    /** The signature does not name a trusted key, and was not created with one. */
    public static final Attribution UNKNOWN = new Attribution(Outcome.UNKNOWN_KEY, null);

    /** Checks that {@code keyId} is present exactly when the outcome is {@link Outcome#VALID}. */
    public Attribution {
      if ((outcome == Outcome.VALID) != (keyId != null)) {
        throw new IllegalArgumentException(
            "a key id is required for VALID only: %s, %s".formatted(outcome, keyId));
      }
    }

    /** Creates the attribution to a trusted key. */
    public static Attribution to(String keyId) {
      return new Attribution(Outcome.VALID, keyId);
    }
  }

  /** Verifies a signature over a message. */
  Outcome verify(Signature signature, byte[] message);

  /**
   * Finds the trusted key that created a signature, where the key is unknown or only named by an
   * unauthenticated hint, as in a DSSE envelope. This default method tries the key that the hint
   * names; an implementation that can enumerate its keys tries all of them.
   *
   * @param algorithm the algorithm in lower case, such as {@value Signature#ED25519}
   * @param hint the id of the key that claims to have created the signature: any text, empty if
   *     none is named
   * @param value the bytes of the signature
   * @param message the signed message
   */
  default Attribution attribute(String algorithm, String hint, byte[] value, byte[] message) {
    Signature named = Signature.tryOf(algorithm, hint, value);
    Outcome outcome = named == null ? Outcome.UNKNOWN_KEY : verify(named, message);
    return new Attribution(outcome, outcome == Outcome.VALID ? hint : null);
  }
}
