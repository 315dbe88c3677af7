package dev.agentreplay.canonical.tree;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import java.security.DigestException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A Merkle hash tree over the lines of a log (RFC 6962, section 2.1) that grows by one leaf at a
 * time. It keeps only its right edge: the roots of the perfect subtrees into which the leaves
 * divide, one for each bit that is set in their number. Adding a leaf allocates nothing and takes
 * two hash computations on average.
 *
 * <p>Not safe for use by several threads. An Error while a leaf is added, such as OutOfMemoryError,
 * leaves the tree unchanged.
 */
public final class MerkleTree {

  private static final int HASH_BYTES = 32;
  private static final int LEFT = 1;
  private static final int RIGHT = LEFT + HASH_BYTES;
  private static final int NODE_BYTES = RIGHT + HASH_BYTES;
  private static final byte NODE_PREFIX = 1;

  /** The byte before a line in the input of the hash of its leaf. */
  static final byte LEAF_PREFIX = 0;

  private final MessageDigest digest = ContentHash.newDigest();

  /** The input of the next node hash: the prefix and the hashes of the two children. */
  private final byte[] node = new byte[NODE_BYTES];

  /**
   * The roots of the perfect subtrees; that of 2^k leaves is at index k if bit k of the size is
   * set.
   */
  private final byte[] edge;

  private long size;

  /** Creates a tree without leaves. */
  public MerkleTree() {
    this(0, new byte[(Long.SIZE - 1) * HASH_BYTES]);
  }

  private MerkleTree(long size, byte[] edge) {
    this.size = size;
    this.edge = edge;
    node[0] = NODE_PREFIX;
  }

  /**
   * Restores a tree from its size and its edge, to continue adding leaves.
   *
   * @param size the number of leaves, from 0
   * @param edge the result of {@link #edge} of the tree
   * @throws IllegalArgumentException if the size is negative, or the number of hashes differs from
   *     the number of bits set in the size
   */
  public static MerkleTree of(long size, List<ContentHash> edge) {
    if (size < 0) {
      throw new IllegalArgumentException("the size of a tree must not be negative: " + size);
    }
    if (edge.size() != Long.bitCount(size)) {
      throw new IllegalArgumentException(
          "the edge of a tree of %d leaves must have %d hashes, found %d"
              .formatted(size, Long.bitCount(size), edge.size()));
    }
    MerkleTree tree = new MerkleTree();
    tree.size = size;
    long rest = size;
    for (ContentHash hash : edge) {
      long largest = Long.highestOneBit(rest);
      hash.writeDigest(tree.edge, position(largest));
      rest -= largest;
    }
    return tree;
  }

  /** The hash of the leaf for a line: SHA-256 of the byte 0 and the line. */
  public static ContentHash leafHash(byte[] line) {
    return new LeafHasher().hash(line, 0, line.length);
  }

  /** The hash of the node with two children: SHA-256 of the byte 1 and their hashes. */
  static ContentHash nodeHash(ContentHash left, ContentHash right) {
    byte[] node = new byte[NODE_BYTES];
    node[0] = NODE_PREFIX;
    left.writeDigest(node, LEFT);
    right.writeDigest(node, RIGHT);
    return ContentHash.sha256(node);
  }

  /** Adds the leaf for a line, given without its line feed. */
  public void add(byte[] line) {
    add(line, 0, line.length);
  }

  /**
   * Adds the leaf for a line in a range of an array, without its line feed.
   *
   * @param from the index of the first byte
   * @param length the number of bytes
   * @throws IndexOutOfBoundsException if the range is out of bounds
   */
  public void add(byte[] bytes, int from, int length) {
    Objects.checkFromIndexSize(from, length, bytes.length);
    digest.reset(); // an Error may have interrupted the previous hash
    digest.update(LEAF_PREFIX);
    digest.update(bytes, from, length);
    digestToRight();
    addRight();
  }

  /** Adds a leaf by its hash. */
  public void addLeafHash(ContentHash leaf) {
    leaf.writeDigest(node, RIGHT);
    addRight();
  }

  /** The number of leaves. */
  public long size() {
    return size;
  }

  /**
   * The tree head: the size and the root. The root of the tree without leaves is SHA-256 of the
   * empty string.
   */
  public TreeHead head() {
    if (size == 0) {
      return new TreeHead(0, ContentHash.sha256(new byte[0]));
    }
    long smallest = Long.lowestOneBit(size);
    System.arraycopy(edge, position(smallest), node, RIGHT, HASH_BYTES);
    for (long rest = size - smallest; rest != 0; rest -= Long.lowestOneBit(rest)) {
      joinRight(Long.lowestOneBit(rest));
    }
    return new TreeHead(size, ContentHash.of(Arrays.copyOfRange(node, RIGHT, NODE_BYTES)));
  }

  /**
   * The roots of the perfect subtrees, the largest and leftmost first; at most 63. With the size,
   * they suffice to {@linkplain #of restore} the tree.
   */
  public List<ContentHash> edge() {
    List<ContentHash> hashes = new ArrayList<>(Long.bitCount(size));
    for (long rest = size; rest != 0; rest -= Long.highestOneBit(rest)) {
      int from = position(Long.highestOneBit(rest));
      hashes.add(ContentHash.of(Arrays.copyOfRange(edge, from, from + HASH_BYTES)));
    }
    return List.copyOf(hashes);
  }

  /** An independent copy of the tree. */
  public MerkleTree copy() {
    return new MerkleTree(size, edge.clone());
  }

  /** The head as text. */
  @Override
  public String toString() {
    return head().toString();
  }

  /** Adds the leaf with the hash at {@code RIGHT} and closes the subtrees that it completes. */
  private void addRight() {
    long grown = Math.incrementExact(size);
    long completed = Long.lowestOneBit(grown);
    for (long leaves = 1; leaves < completed; leaves <<= 1) {
      joinRight(leaves);
    }
    System.arraycopy(node, RIGHT, edge, position(completed), HASH_BYTES);
    size = grown;
  }

  /**
   * Replaces the hash at {@code RIGHT} by the hash of the node over a perfect subtree and that
   * hash.
   *
   * @param leaves the number of leaves of the subtree
   */
  private void joinRight(long leaves) {
    System.arraycopy(edge, position(leaves), node, LEFT, HASH_BYTES);
    digest.reset();
    digest.update(node, 0, NODE_BYTES);
    digestToRight();
  }

  private void digestToRight() {
    try {
      digest.digest(node, RIGHT, HASH_BYTES);
    } catch (DigestException e) {
      throw new IllegalStateException("the digest does not fit into its own length", e);
    }
  }

  /** The offset in the edge of the root of the perfect subtree with this number of leaves. */
  private static int position(long leaves) {
    return Long.numberOfTrailingZeros(leaves) * HASH_BYTES;
  }
}
