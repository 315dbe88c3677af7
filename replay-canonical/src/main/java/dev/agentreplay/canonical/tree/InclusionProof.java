package dev.agentreplay.canonical.tree;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Proof that a tree has a leaf (RFC 6962, section 2.1.1). It may come from anybody: whatever it
 * holds, checking it does not fail, and refuses all proofs but the one that the RFC defines.
 *
 * @param index which leaf, from 0
 * @param size the number of leaves of the tree
 * @param path the hashes beside the way from the leaf up to the root, the deepest first
 */
public record InclusionProof(long index, long size, List<ContentHash> path) {

  /** Checks for null and copies. */
  public InclusionProof {
    path = List.copyOf(path);
  }

  /** Whether the tree with this head has this line, without its line feed, for this leaf. */
  public boolean isProofOf(byte[] line, TreeHead head) {
    return head.size() == size && head.root().equals(rootOf(MerkleTree.leafHash(line)));
  }

  /**
   * The root that the path leads to from the hash of a leaf (RFC 9162, section 2.1.3.2); null when
   * there is no such leaf, or the path has another length than the way.
   */
  public @Nullable ContentHash rootOf(ContentHash leaf) {
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
        int levels = Long.numberOfTrailingZeros(node); // those where it has no neighbour
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
