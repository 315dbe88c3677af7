package dev.agentreplay.model.signature;

import java.io.IOException;

/**
 * Signs with one key, which may be in this process, in a hardware device or at a remote service.
 * {@link Ed25519Signer} implements it for Ed25519 keys. Implementations are safe for use by several
 * threads.
 *
 * <p>A log writer signs a checkpoint while all other writing threads are blocked: a signer must not
 * call the writer or recorder that it signs for, and a slow one should only sign the receipt.
 */
public interface Signer {

  /** The algorithm in lower case, as in {@link Signature#algorithm}. */
  String algorithm();

  /** The id of the key, as in {@link Signature#keyId}. */
  String keyId();

  /**
   * Signs a message. The signature is over the message itself, not over a hash of it.
   *
   * @throws IOException if the key cannot be used
   */
  byte[] sign(byte[] message) throws IOException;

  /**
   * Signs a message, and returns the signature with algorithm and key id.
   *
   * @throws IOException if the key cannot be used
   */
  default Signature signature(byte[] message) throws IOException {
    return new Signature(algorithm(), keyId(), sign(message));
  }
}
