package dev.agentreplay.canonical.tree;

import dev.agentreplay.model.ContentHash;
import java.security.MessageDigest;
import java.util.Objects;

/**
 * Computes the hashes of the leaves for lines (RFC 6962, section 2.1), to be added to a
 * {@link MerkleTree} by {@link MerkleTree#addLeafHash}. Not safe for use by several threads.
 */
public final class LeafHasher {

  private final MessageDigest digest = ContentHash.newDigest();

  /** Creates a hasher. */
  public LeafHasher() {}

  /**
   * The hash of the leaf for a line in a range of an array, without its line feed.
   *
   * @param from the index of the first byte
   * @param to the index after the last byte
   * @throws IndexOutOfBoundsException if the range is out of bounds
   */
  public ContentHash hash(byte[] bytes, int from, int to) {
    Objects.checkFromToIndex(from, to, bytes.length);
    digest.reset(); // an Error may have interrupted the previous hash
    digest.update(MerkleTree.LEAF_PREFIX);
    digest.update(bytes, from, to - from);
    return ContentHash.of(digest.digest());
  }
}
