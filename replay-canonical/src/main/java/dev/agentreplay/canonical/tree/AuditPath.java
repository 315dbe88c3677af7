package dev.agentreplay.canonical.tree;

import dev.agentreplay.model.ContentHash;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hashes of the siblings on the way from a leaf to the root of a tree, the deepest first (audit
 * path, RFC 6962, section 2.1.1). For leaves that are not lines; {@link InclusionProof} is the
 * proof for a line.
 */
public final class AuditPath {

  private final PathBuilder hashes;

  /**
   * Creates a path without leaves.
   *
   * @param index the index of the leaf, from 0
   * @param size the number of leaves of the tree
   * @throws IndexOutOfBoundsException if there is no such leaf
   */
  public AuditPath(long index, long size) {
    hashes = PathBuilder.ofLeaf(index, size);
  }

  /**
   * Adds the next leaf.
   *
   * @throws IllegalStateException if all leaves have already been added
   */
  public void add(byte[] leaf) {
    hashes.add(leaf, 0, leaf.length);
  }

  /**
   * The path.
   *
   * @throws IllegalStateException if not all leaves have been added
   */
  public List<ContentHash> toList() {
    List<ContentHash> all = hashes.hashes();
    return all.subList(1, all.size());
  }

  /**
   * Computes the root from the hash of a leaf and a path (RFC 9162, section 2.1.3.2).
   *
   * @return null if there is no such leaf, or if the length of the path is wrong
   */
  public static @Nullable ContentHash root(
      long index, long size, ContentHash leaf, List<ContentHash> path) {
    if (index < 0 || index >= size) {
      return null;
    }
    long node = index;
    long last = size - 1;
    ContentHash hash = leaf;
    for (ContentHash beside : path) {
      if (last == 0) {
        return null;
      }
      if ((node & 1) == 1 || node == last) {
        hash = MerkleTree.nodeHash(beside, hash);
        int levels = Long.numberOfTrailingZeros(node); // levels at which the node has no sibling
        node >>>= levels;
        last >>>= levels;
      } else {
        hash = MerkleTree.nodeHash(hash, beside);
      }
      node >>>= 1;
      last >>>= 1;
    }
    return last == 0 ? hash : null;
  }
}
