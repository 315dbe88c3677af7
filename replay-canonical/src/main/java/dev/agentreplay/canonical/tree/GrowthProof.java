package dev.agentreplay.canonical.tree;

import dev.agentreplay.canonical.internal.StrictObject;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.DocumentFormatException;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import java.util.Objects;

/**
 * Two heads of a log with the proof that the log only grew from one to the other: shows to somebody
 * who trusts the older head that it is still the same log.
 *
 * @param first the older head
 * @param second the newer head
 * @param path that of a {@link ConsistencyProof}
 */
public record GrowthProof(TreeHead first, TreeHead second, List<ContentHash> path) {

  /** The member {@code schema} of the JSON form. */
  public static final String SCHEMA = "replay.consistency/1";

  private static final String FIRST = "first";
  private static final String SECOND = "second";

  /** Checks for null and copies. */
  public GrowthProof {
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
  public boolean holds() {
    return consistency().isProofOf(first, second);
  }

  /** The proof without the heads. */
  public ConsistencyProof consistency() {
    return new ConsistencyProof(first.size(), second.size(), path);
  }

  /** The JSON form, whose members are in canonical order. */
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
  public static GrowthProof fromJson(JsonObject json) throws DocumentFormatException {
    StrictObject members = StrictObject.of(json);
    members.constant(ProofJson.SCHEMA, SCHEMA);
    members.only(FIRST, ProofJson.PATH, ProofJson.SCHEMA, SECOND);
    return new GrowthProof(
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
    public GrowthProof build() {
      List<ContentHash> all = hashes.hashes();
      ContentHash start = all.get(0);
      List<ContentHash> rest = all.subList(1, all.size());
      if (first == 0 || first == second) {
        TreeHead newer = new TreeHead(second, start);
        return new GrowthProof(first == 0 ? new MerkleTree().head() : newer, newer, rest);
      }
      ConsistencyProof.Roots roots =
          Objects.requireNonNull(ConsistencyProof.roots(first, second, start, rest));
      return new GrowthProof(
          new TreeHead(first, roots.older()),
          new TreeHead(second, roots.newer()),
          Long.bitCount(first) == 1 ? rest : all);
    }
  }
}
