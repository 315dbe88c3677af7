package dev.agentreplay.canonical;

import dev.agentreplay.model.ContentHash;
import java.security.DigestException;
import java.security.MessageDigest;

/** Makes SHA-256 hashes, and no garbage. Not safe for use by several threads. */
final class Hasher {

  private final MessageDigest digest = ContentHash.newDigest();
  private final byte[] digested = new byte[digest.getDigestLength()];

  /** A hasher. */
  public Hasher() {}

  /** The hash of a part of an array. */
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
