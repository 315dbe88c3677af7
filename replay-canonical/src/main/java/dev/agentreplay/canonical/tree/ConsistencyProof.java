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
 * Two heads of a log's tree and the proof that the newer tree extends the older one: lines were
 * appended, and none was changed, removed or inserted (consistency proof, RFC 6962, section 2.1.2).
 * A proof may come from an attacker: {@link #holds} never throws, whatever the proof contains, and
 * accepts only the proof that the RFC defines.
 *
 * <p>The RFC does not define proofs for the tree without leaves. Here, that tree is consistent with
 * every tree, and the path of the proof is empty.
 *
 * @param first the head of the older tree
 * @param second the head of the newer tree
 * @param path the hashes from which both roots are computed, the deepest first; empty if the trees
 *     have the same size
 */
public record ConsistencyProof(TreeHead first, TreeHead second, List<ContentHash> path)
    implements MerkleProof {

  /** The member {@code schema} of the JSON form. */
  public static final String SCHEMA = "replay.consistency/1";

  private static final TreeHead EMPTY = new MerkleTree().head();
  private static final String FIRST = "first";
  private static final String SECOND = "second";

  /** Checks for null and copies the path. */
  public ConsistencyProof {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(second, "second");
    path = List.copyOf(path);
  }

  /**
   * Returns a builder of the proof between two sizes of a log.
   *
   * @param first the number of lines of the older log, from 0
   * @param second the number of lines of the newer log
   * @throws IndexOutOfBoundsException if a size is negative, or {@code first} is greater than
   *     {@code second}
   */
  public static Builder builder(long first, long second) {
    return new Builder(first, second);
  }

  /**
   * Whether a log with the first head can have grown into one with the second. The result does not
   * authenticate the heads: compare {@link #first} with a trusted one.
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
   * Computes the two roots (RFC 9162, section 2.1.4.2).
   *
   * @param first the number of leaves of the older tree, from 1, less than that of the newer one
   * @param second the number of leaves of the newer tree
   * @param start the hash of the largest perfect subtree at the right edge of the older tree
   * @param path the other hashes, the deepest first
   * @return null if the length of the path is wrong
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
        levels = Long.numberOfTrailingZeros(node); // the levels at which the node has no sibling
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
   * Reads the JSON form. Does not check whether the proof holds.
   *
   * @throws DocumentFormatException if a member is missing, invalid or unknown
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
   * Builds a proof in one pass over the lines of the newer log. Not safe for use by several
   * threads.
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

    /** Adds the next line, without its line feed; fails like {@link #add(byte[], int, int)}. */
    public Builder add(byte[] bytes) {
      return add(bytes, 0, bytes.length);
    }

    /**
     * Adds the next line, without its line feed.
     *
     * @param from the index of the first byte
     * @param length the number of bytes
     * @throws IllegalStateException if all lines have already been added
     * @throws IndexOutOfBoundsException if the range is out of bounds
     */
    public Builder add(byte[] bytes, int from, int length) {
      hashes.add(bytes, from, length);
      return this;
    }

    /**
     * Returns the proof.
     *
     * @throws IllegalStateException if not all lines have been added
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
