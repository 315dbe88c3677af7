package dev.agentreplay.canonical;

import dev.agentreplay.model.ContentHash;
import java.security.DigestException;
import java.security.MessageDigest;

/** Computes SHA-256 hashes with one reused digest. Not safe for use by several threads. */
final class Hasher {

  private final MessageDigest digest = ContentHash.newDigest();
  private final byte[] digested = new byte[digest.getDigestLength()];

  /** Creates a hasher. */
  public Hasher() {}

  /**
   * The hash of a range of an array.
   *
   * @param from the index of the first byte
   * @param to the index after the last byte
   */
  public ContentHash hash(byte[] bytes, int from, int to) {
    digest.update(bytes, from, to - from);
    try {
      digest.digest(digested, 0, digested.length);
    } catch (DigestException e) {
      throw new IllegalStateException("the digest does not fit into its own length", e);
    }
    return ContentHash.of(digested);
  }
}
