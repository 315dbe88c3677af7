package dev.agentreplay.model.signature;

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

  /** What a signature over a message is worth. */
  Outcome verify(Signature signature, byte[] message);
}
