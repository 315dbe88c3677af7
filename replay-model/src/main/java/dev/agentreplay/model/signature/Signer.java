package dev.agentreplay.model.signature;

import java.io.IOException;

/**
 * Signs with one key, which may be in this process, in a device or with a service. Implementations
 * are safe for use by several threads.
 *
 * <p>A writer signs a checkpoint while all threads that write wait: a signer must not call the
 * writer or recorder that it signs for, and is better kept for the receipt if it takes long.
 */
public interface Signer {

  /** The algorithm, in lower case, as {@link Signature#algorithm} has it. */
  String algorithm();

  /** The name of the key, as {@link Signature#keyId} has it. */
  String keyId();

  /**
   * Signs a message: all of it, not its hash.
   *
   * @throws IOException if the key cannot be used now
   */
  byte[] sign(byte[] message) throws IOException;

  /**
   * The signature of a message, with algorithm and key.
   *
   * @throws IOException if the key cannot be used now
   */
  default Signature signature(byte[] message) throws IOException {
    return new Signature(algorithm(), keyId(), sign(message));
  }
}
