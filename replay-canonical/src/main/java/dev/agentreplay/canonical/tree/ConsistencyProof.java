package dev.agentreplay.canonical.tree;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Proof that a tree grew out of an older one: that nothing was changed, dropped or inserted, only
 * added at the end (RFC 6962, section 2.1.2). It may come from anybody: whatever it holds, checking
 * it does not fail, and refuses all proofs but the one that the RFC defines.
 *
 * <p>The RFC leaves out the tree without leaves. Every tree grew out of that one, and the proof is
 * an empty path.
 *
 * @param first the number of leaves of the older tree
 * @param second the number of leaves of the newer tree
 * @param path the hashes that make up both roots, the deepest first; empty when the trees have the
 *     same size
 */
public record ConsistencyProof(long first, long second, List<ContentHash> path) {

  private static final TreeHead EMPTY = new MerkleTree().head();

  /** Checks for null and copies. */
  public ConsistencyProof {
    path = List.copyOf(path);
  }

  /** Whether the tree with the newer head grew out of that with the older one. */
  public boolean isProofOf(TreeHead older, TreeHead newer) {
    if (older.size() != first || newer.size() != second || first < 0 || first > second) {
      return false;
    }
    if (first == 0 && !older.equals(EMPTY)) {
      return false;
    }
    if (first == second) {
      return path.isEmpty() && older.equals(newer);
    }
    if (first == 0) {
      return path.isEmpty();
    }
    boolean perfect = Long.bitCount(first) == 1; // then it is a node of the newer tree
    if (!perfect && path.isEmpty()) {
      return false;
    }
    Roots roots = perfect
        ? roots(first, second, older.root(), path)
        : roots(first, second, path.get(0), path.subList(1, path.size()));
    return roots != null && roots.older.equals(older.root()) && roots.newer.equals(newer.root());
  }

  /**
   * What the two roots are (RFC 9162, section 2.1.4.2).
   *
   * @param first the number of leaves of the older tree, less than that of the newer one, from 1
   * @param start the largest perfect subtree at the right edge of the older tree
   * @param path the other hashes, the deepest first
   * @return null when the path has another length than it should
   */
  static @Nullable Roots roots(long first, long second, ContentHash start, List<ContentHash> path) {
    int levels = Long.numberOfTrailingZeros(first);
    long node = (first - 1) >>> levels;
    long last = (second - 1) >>> levels;
    ContentHash older = start;
    ContentHash newer = start;
    for (ContentHash beside : path) {
      if (last == 0) {
        return null;
      }
      if ((node & 1) == 1 || node == last) {
        older = MerkleTree.nodeHash(beside, older);
        newer = MerkleTree.nodeHash(beside, newer);
        levels = Long.numberOfTrailingZeros(node); // those where it has no neighbour
        node >>>= levels;
        last >>>= levels;
      } else {
        newer = MerkleTree.nodeHash(newer, beside);
      }
      node >>>= 1;
      last >>>= 1;
    }
    return last == 0 ? new Roots(older, newer) : null;
  }

  /** The roots of the older and of the newer tree. */
  record Roots(ContentHash older, ContentHash newer) {}
}
