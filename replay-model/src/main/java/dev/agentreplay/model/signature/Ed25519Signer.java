package dev.agentreplay.model.signature;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.Set;

/**
 * Signs with an Ed25519 key (RFC 8032) that is in this process or in a security provider.
 *
 * <pre>{@code
 * Ed25519Signer signer = Ed25519Signer.of(KeyPem.parsePrivateKey(text));
 * Signature signature = signer.signature(line.getBytes(StandardCharsets.UTF_8));
 * }</pre>
 *
 * <p>The id of a key is the SHA-256 of its SubjectPublicKeyInfo in 64 hexadecimal digits, as
 * printed by {@code openssl pkey -pubin -outform DER | sha256sum}.
 *
 * <p>It requires the platform's Ed25519: before JDK 22, a custom runtime image must include the
 * module {@code jdk.crypto.ec}, otherwise methods throw {@link IllegalStateException}.
 *
 * <p>Immutable, and safe for use by several threads.
 */
public final class Ed25519Signer implements Signer {

  private static final byte[] PROBE = {};

  private final KeyPair keys;
  private final String keyId;

  private Ed25519Signer(PrivateKey privateKey, PublicKey publicKey) {
    keys = new KeyPair(publicKey, privateKey);
    keyId = Ed25519.keyId(publicKey);
  }

  /** Creates a signer with a new key pair. */
  public static Ed25519Signer generate() {
    KeyPair pair = Ed25519.generate(null);
    return new Ed25519Signer(pair.getPrivate(), pair.getPublic());
  }

  /**
   * Creates a signer with a private key, from which the public key is derived.
   *
   * @throws IllegalArgumentException if it is not an Ed25519 key, or does not expose its encoding,
   *     as a key in a hardware device: use {@link #of(PrivateKey, PublicKey)} for that
   */
  public static Ed25519Signer of(PrivateKey privateKey) {
    PublicKey publicKey = Ed25519.publicKey(privateKey);
    if (publicKey == null) {
      throw new IllegalArgumentException(
          "cannot derive the public key of this %s key, which is not Ed25519 or hides its encoding"
              .formatted(privateKey.getAlgorithm()));
    }
    return new Ed25519Signer(privateKey, publicKey);
  }

  /**
   * Creates a signer with a key pair. It signs an empty message to check that the keys belong
   * together.
   *
   * @throws IllegalArgumentException if they are not Ed25519 keys, or do not belong together
   */
  public static Ed25519Signer of(PrivateKey privateKey, PublicKey publicKey) {
    SignatureVerifier verifier = Ed25519Verifier.of(Set.of(publicKey));
    Ed25519Signer signer = new Ed25519Signer(privateKey, publicKey);
    try {
      if (verifier.verify(signer.signature(PROBE), PROBE) == SignatureVerifier.Outcome.VALID) {
        return signer;
      }
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "not an Ed25519 private key that can sign: " + privateKey.getAlgorithm(), e);
    }
    throw new IllegalArgumentException(
        "the public key %s is not that of the private key".formatted(signer.keyId));
  }

  @Override
  public String algorithm() {
    return Signature.ED25519;
  }

  @Override
  public String keyId() {
    return keyId;
  }

  /** The public key, which verifiers need. */
  public PublicKey publicKey() {
    return keys.getPublic();
  }

  /** The private key, which must be kept secret. */
  public PrivateKey privateKey() {
    return keys.getPrivate();
  }

  @Override
  public byte[] sign(byte[] message) throws IOException {
    java.security.Signature signature = Ed25519.newSignature();
    try {
      signature.initSign(keys.getPrivate());
      signature.update(message);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IOException("the key " + keyId + " cannot sign", e);
    }
  }

  /** Returns the algorithm and the id of the key. */
  @Override
  public String toString() {
    return Signature.ED25519 + ":" + keyId;
  }
}
