package dev.agentreplay.model.signature;

import java.security.InvalidKeyException;
import java.security.PublicKey;
import java.security.SignatureException;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * Trusts Ed25519 keys (RFC 8032), which it knows by their ids: see {@link Ed25519Signer}, also for
 * what it needs. A signature that names a trusted key and does not fit is {@link Outcome#INVALID},
 * whatever its length; one of another algorithm or key is {@link Outcome#UNKNOWN_KEY}.
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
   * Trusts these keys.
   *
   * @throws IllegalArgumentException if one is not an Ed25519 key
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
    byte[] value = signature.value();
    if (value.length != SIGNATURE_BYTES) { // the platform takes one with zeros after it
      return Outcome.INVALID;
    }
    java.security.Signature verifier = Ed25519.newSignature();
    try {
      verifier.initVerify(key);
      verifier.update(message);
      return verifier.verify(value) ? Outcome.VALID : Outcome.INVALID;
    } catch (SignatureException notOne) {
      return Outcome.INVALID;
    } catch (InvalidKeyException e) {
      throw new IllegalStateException("a key that was usable before is not now", e);
    }
  }

  /** The ids of the keys that are trusted. */
  @Override
  public String toString() {
    return "trusts " + trusted.keySet();
  }
}
