package dev.agentreplay.canonical.tree;

import dev.agentreplay.canonical.StrictObject;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Two heads of a log with the proof that lines were only appended from one to the other: that
 * nothing was changed, dropped or inserted (RFC 6962, section 2.1.2). It may come from an attacker:
 * whatever it holds, checking it does not fail, and refuses all proofs but the one that the RFC
 * defines.
 *
 * <p>The RFC leaves out the tree without leaves. It is consistent with every tree, and the proof is
 * an empty path.
 *
 * @param first the older head
 * @param second the newer head
 * @param path the hashes that make up both roots, the deepest first; empty when the trees have the
 *     same size
 */
public record ConsistencyProof(TreeHead first, TreeHead second, List<ContentHash> path)
    implements MerkleProof {

  /** The member {@code schema} of the JSON form. */
  public static final String SCHEMA = "replay.consistency/1";

  private static final TreeHead EMPTY = new MerkleTree().head();
  private static final String FIRST = "first";
  private static final String SECOND = "second";

  /** Checks for null and copies. */
  public ConsistencyProof {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(second, "second");
    path = List.copyOf(path);
  }

  /**
   * Makes the proof for two sizes of a log.
   *
   * @param first the number of lines of the older log, from 0
   * @param second the number of lines of the newer log
   * @throws IndexOutOfBoundsException if one is negative, or the older log is the longer one
   */
  public static Builder builder(long first, long second) {
    return new Builder(first, second);
  }

  /**
   * Whether a log with the first head can have grown into one with the second. That says nothing
   * about who made the heads: compare {@link #first} with one that is trusted.
   */
  @Override
  public boolean holds() {
    long older = first.size();
    long newer = second.size();
    if (older < 0 || older > newer || (older == 0 && !first.equals(EMPTY))) {
      return false;
    }
    if (older == newer) {
      return path.isEmpty() && first.equals(second);
    }
    if (older == 0) {
      return path.isEmpty();
    }
    boolean perfect = Long.bitCount(older) == 1; // then it is a node of the newer tree
    if (!perfect && path.isEmpty()) {
      return false;
    }
    Roots roots = perfect
        ? roots(older, newer, first.root(), path)
        : roots(older, newer, path.get(0), path.subList(1, path.size()));
    return roots != null && roots.older.equals(first.root()) && roots.newer.equals(second.root());
  }

  /**
   * The two roots (RFC 9162, section 2.1.4.2).
   *
   * @param first the number of leaves of the older tree, less than that of the newer one, from 1
   * @param start the largest perfect subtree at the right edge of the older tree
   * @param path the other hashes, the deepest first
   * @return null when the path has another length than it should
   */
  private static @Nullable Roots roots(
      long first, long second, ContentHash start, List<ContentHash> path) {
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
  private record Roots(ContentHash older, ContentHash newer) {}

  @Override
  public JsonObject toJson() {
    return JsonObject.of(
        FIRST,
        ProofJson.head(first),
        ProofJson.PATH,
        ProofJson.path(path),
        ProofJson.SCHEMA,
        SCHEMA,
        SECOND,
        ProofJson.head(second));
  }

  /**
   * Reads the JSON form. Whether the proof holds is not looked at.
   *
   * @throws DocumentFormatException if a member is missing, not as it should be, or not known
   */
  public static ConsistencyProof fromJson(JsonObject json) throws DocumentFormatException {
    StrictObject members = StrictObject.of(json);
    members.constant(ProofJson.SCHEMA, SCHEMA);
    members.only(FIRST, ProofJson.PATH, ProofJson.SCHEMA, SECOND);
    return new ConsistencyProof(
        head(members.object(FIRST)), head(members.object(SECOND)), members.hashes(ProofJson.PATH));
  }

  private static TreeHead head(StrictObject members) throws DocumentFormatException {
    members.only(ProofJson.TREE_ROOT, ProofJson.TREE_SIZE);
    return ProofJson.head(members);
  }

  /**
   * Makes a proof in one pass over the lines of the newer log. Not safe for use by several threads.
   */
  public static final class Builder {
    private final long first;
    private final long second;
    private final PathBuilder hashes;

    private Builder(long first, long second) {
      this.first = first;
      this.second = second;
      hashes = PathBuilder.ofOlderTree(first, second);
    }

    /** Adds the next line, given without its line feed; fails as the other method does. */
    public Builder add(byte[] bytes) {
      return add(bytes, 0, bytes.length);
    }

    /**
     * Adds the next line, given without its line feed.
     *
     * @throws IllegalStateException if all lines were added
     * @throws IndexOutOfBoundsException if the array has no such part
     */
    public Builder add(byte[] bytes, int from, int length) {
      hashes.add(bytes, from, length);
      return this;
    }

    /**
     * The proof.
     *
     * @throws IllegalStateException if not all lines were added
     */
    public ConsistencyProof build() {
      List<ContentHash> all = hashes.hashes();
      ContentHash start = all.get(0);
      List<ContentHash> rest = all.subList(1, all.size());
      if (first == 0 || first == second) {
        TreeHead newer = new TreeHead(second, start);
        return new ConsistencyProof(first == 0 ? EMPTY : newer, newer, rest);
      }
      Roots roots = Objects.requireNonNull(roots(first, second, start, rest));
      return new ConsistencyProof(
          new TreeHead(first, roots.older()),
          new TreeHead(second, roots.newer()),
          Long.bitCount(first) == 1 ? rest : all);
    }
  }
}
