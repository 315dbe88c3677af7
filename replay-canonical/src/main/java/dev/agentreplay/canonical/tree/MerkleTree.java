package dev.agentreplay.canonical.tree;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import java.security.DigestException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * The Merkle tree over the lines of a log (RFC 6962, section 2.1), which grows by one leaf at a
 * time. Only its right edge is kept: the roots of the perfect subtrees that the leaves so far make
 * up, one for every bit of their number. Adding a leaf makes no garbage, and two hashes on average.
 *
 * <p>Not safe for use by several threads. An Error that interrupts adding a leaf, as when memory
 * runs out, leaves the tree as it was.
 */
public final class MerkleTree {

  private static final int HASH_BYTES = 32;
  private static final int LEFT = 1;
  private static final int RIGHT = LEFT + HASH_BYTES;
  private static final int NODE_BYTES = RIGHT + HASH_BYTES;
  private static final byte LEAF_PREFIX = 0;
  private static final byte NODE_PREFIX = 1;

  private final MessageDigest digest = ContentHash.newDigest();

  /** What is hashed next: the prefix of a node, and its children. */
  private final byte[] node = new byte[NODE_BYTES];

  /** The roots of the perfect subtrees, that of 2^k leaves at k, where bit k of the size is set. */
  private final byte[] edge;

  private long size;

  /** A tree without leaves. */
  public MerkleTree() {
    this(0, new byte[(Long.SIZE - 1) * HASH_BYTES]);
  }

  private MerkleTree(long size, byte[] edge) {
    this.size = size;
    this.edge = edge;
    node[0] = NODE_PREFIX;
  }

  /**
   * The tree that had this size and this edge; it grows on as that one would have.
   *
   * @param size the number of leaves, from 0
   * @param edge what {@link #edge} returned
   * @throws IllegalArgumentException if the size is negative, or the edge has not as many hashes as
   *     the size has bits that are set
   */
  public static MerkleTree of(long size, List<ContentHash> edge) {
    if (size < 0) {
      throw new IllegalArgumentException("the size of a tree must not be negative: " + size);
    }
    if (edge.size() != Long.bitCount(size)) {
      throw new IllegalArgumentException("the edge of a tree of %d leaves has %d hashes, not %d"
          .formatted(size, Long.bitCount(size), edge.size()));
    }
    MerkleTree tree = new MerkleTree();
    tree.size = size;
    long rest = size;
    for (ContentHash hash : edge) {
      long largest = Long.highestOneBit(rest);
      put(hash, tree.edge, position(largest));
      rest -= largest;
    }
    return tree;
  }

  /** The hash of the leaf that a line is: SHA-256 of a byte 0 and the line. */
  public static ContentHash leafHash(byte[] line) {
    MessageDigest digest = ContentHash.newDigest();
    digest.update(LEAF_PREFIX);
    return ContentHash.of(digest.digest(line));
  }

  /** The hash of the node over two others: SHA-256 of a byte 1 and their hashes. */
  static ContentHash nodeHash(ContentHash left, ContentHash right) {
    byte[] node = new byte[NODE_BYTES];
    node[0] = NODE_PREFIX;
    put(left, node, LEFT);
    put(right, node, RIGHT);
    return ContentHash.sha256(node);
  }

  /** Adds the leaf that a line is, given without its line feed. */
  public void add(byte[] line) {
    add(line, 0, line.length);
  }

  /**
   * Adds the leaf that a part of an array is: a line without its line feed.
   *
   * @throws IndexOutOfBoundsException if there is no such part
   */
  public void add(byte[] bytes, int from, int length) {
    Objects.checkFromIndexSize(from, length, bytes.length);
    digest.reset(); // an Error may have interrupted the hash before
    digest.update(LEAF_PREFIX);
    digest.update(bytes, from, length);
    digestToRight();
    addRight();
  }

  /** Adds a leaf by its hash. */
  public void addLeafHash(ContentHash leaf) {
    put(leaf, node, RIGHT);
    addRight();
  }

  /** The number of leaves. */
  public long size() {
    return size;
  }

  /** The size and the root; that of the tree without leaves is SHA-256 of nothing. */
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
   * The roots of the perfect subtrees, the largest and leftmost first: with the size, all that is
   * needed to go on. At most 63.
   */
  public List<ContentHash> edge() {
    List<ContentHash> hashes = new ArrayList<>(Long.bitCount(size));
    for (long rest = size; rest != 0; rest -= Long.highestOneBit(rest)) {
      int from = position(Long.highestOneBit(rest));
      hashes.add(ContentHash.of(Arrays.copyOfRange(edge, from, from + HASH_BYTES)));
    }
    return List.copyOf(hashes);
  }

  /** A tree that is the same, and grows by itself. */
  public MerkleTree copy() {
    return new MerkleTree(size, edge.clone());
  }

  /** The head. */
  @Override
  public String toString() {
    return head().toString();
  }

  /** Adds the leaf whose hash is on the right, and closes the subtrees that it completes. */
  private void addRight() {
    long grown = Math.incrementExact(size);
    long completed = Long.lowestOneBit(grown);
    for (long leaves = 1; leaves < completed; leaves <<= 1) {
      joinRight(leaves);
    }
    System.arraycopy(node, RIGHT, edge, position(completed), HASH_BYTES);
    size = grown;
  }

  /** Replaces the hash on the right by that of the node over a perfect subtree and it. */
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

  /** Where the root of the perfect subtree of so many leaves is. */
  private static int position(long leaves) {
    return Long.numberOfTrailingZeros(leaves) * HASH_BYTES;
  }

  private static void put(ContentHash hash, byte[] target, int from) {
    System.arraycopy(HexFormat.of().parseHex(hash.hex()), 0, target, from, HASH_BYTES);
  }
}
