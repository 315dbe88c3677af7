package dev.agentreplay.model.signature;

import java.security.InvalidKeyException;
import java.security.PublicKey;
import java.security.SignatureException;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * Verifies signatures of trusted Ed25519 keys (RFC 8032), which are identified by their ids: see
 * {@link Ed25519Signer}, also for the requirements on the platform. A signature that names a
 * trusted key and does not match is {@link Outcome#INVALID}, whatever its length; one of another
 * algorithm or key is {@link Outcome#UNKNOWN_KEY}.
 *
 * <p>Keys of small order are rejected. A signature whose point R is of small order is left to the
 * platform: with a trusted key, only the holder of the private key can create it, as any other
 * signature.
 *
 * <p>Immutable, and safe for use by several threads.
 */
public final class Ed25519Verifier implements SignatureVerifier {

  private static final int SIGNATURE_BYTES = 64;

  private final Map<String, PublicKey> trusted;

  private Ed25519Verifier(Map<String, PublicKey> trusted) {
    this.trusted = trusted;
  }

  /**
   * Creates a verifier that trusts the given keys.
   *
   * @throws IllegalArgumentException if one is not an Ed25519 key, is a point of small order, with
   *     which signatures can be forged, or is not in its canonical encoding
   */
  public static Ed25519Verifier of(Collection<? extends PublicKey> keys) {
    Map<String, PublicKey> trusted = new TreeMap<>();
    for (PublicKey key : keys) {
      byte[] encoded = key.getEncoded();
      PublicKey known = encoded == null ? null : Ed25519.publicKey(encoded);
      if (known == null) {
        throw new IllegalArgumentException("not an Ed25519 public key: " + key.getAlgorithm());
      }
      trusted.put(Ed25519.keyId(known), known);
    }
    return new Ed25519Verifier(trusted);
  }

  @Override
  public Outcome verify(Signature signature, byte[] message) {
    PublicKey key = trusted.get(signature.keyId());
    if (key == null || !signature.algorithm().equals(Signature.ED25519)) {
      return Outcome.UNKNOWN_KEY;
    }
    return isValid(key, signature.value(), message) ? Outcome.VALID : Outcome.INVALID;
  }

  /**
   * Finds the trusted key that created a signature: tries the key with the id {@code hint} first,
   * then all others.
   */
  @Override
  public Attribution attribute(String algorithm, String hint, byte[] value, byte[] message) {
    if (!algorithm.equals(Signature.ED25519)) {
      return Attribution.UNKNOWN;
    }
    PublicKey named = trusted.get(hint);
    if (named != null && isValid(named, value, message)) {
      return Attribution.to(hint);
    }
    for (Map.Entry<String, PublicKey> other : trusted.entrySet()) {
      if (!other.getKey().equals(hint) && isValid(other.getValue(), value, message)) {
        return Attribution.to(other.getKey());
      }
    }
    return named == null ? Attribution.UNKNOWN : Attribution.INVALID;
  }

  private static boolean isValid(PublicKey key, byte[] value, byte[] message) {
    if (value.length != SIGNATURE_BYTES) { // the platform accepts trailing zeros
      return false;
    }
    java.security.Signature verifier = Ed25519.newSignature();
    try {
      verifier.initVerify(key);
      verifier.update(message);
      return verifier.verify(value);
    } catch (SignatureException notOne) {
      return false;
    } catch (InvalidKeyException e) {
      throw new IllegalStateException("a trusted key is no longer usable", e);
    }
  }

  /** Returns the ids of the trusted keys. */
  @Override
  public String toString() {
    return "trusts " + trusted.keySet();
  }
}
