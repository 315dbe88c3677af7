package dev.agentreplay.canonical.tree;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentreplay.canonical.StrictObject;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A line of a log with the proof that the log's tree has it as a leaf (RFC 6962, section 2.1.1):
 * shows a single event to a verifier that trusts the head of the tree, and has not seen the log. It
 * may come from an attacker: whatever it holds, checking it does not fail, and refuses all proofs
 * but the one that the RFC defines.
 *
 * <pre>{@code
 * byte[][] lines = {{'1'}, {'2'}, {'3'}};
 * InclusionProof.Builder builder = InclusionProof.builder(2, lines.length); // the second line
 * for (byte[] bytes : lines) {
 *   builder.add(bytes);
 * }
 * String proof = builder.build().toJson().toString();
 *
 * InclusionProof received = InclusionProof.fromJson(JsonText.parse(proof).asObject());
 * TreeHead claimed = received.holds() ? received.tree() : null; // is it the head that is trusted?
 * }</pre>
 *
 * @param line which line, from 1
 * @param text the line, without its line feed
 * @param tree the head of the tree over all lines
 * @param path the hashes next to the way from the leaf up to the root, the deepest first
 */
public record InclusionProof(long line, String text, TreeHead tree, List<ContentHash> path)
    implements MerkleProof {

  /** The member {@code schema} of the JSON form. */
  public static final String SCHEMA = "replay.inclusion/1";

  private static final String LINE = "line";
  private static final String TEXT = "text";

  /**
   * Checks for null and copies.
   *
   * @throws IllegalArgumentException if the text holds a lone surrogate
   */
  public InclusionProof {
    text = JsonString.of(text).value();
    Objects.requireNonNull(tree, "tree");
    path = List.copyOf(path);
  }

  /**
   * Makes the proof for a line.
   *
   * @param line which line, from 1
   * @param size the number of lines
   * @throws IndexOutOfBoundsException if there is no such line
   */
  public static Builder builder(long line, long size) {
    return new Builder(line, size);
  }

  /**
   * Whether the path leads from the line to the head. That says nothing about who made the head:
   * compare {@link #tree} with one that is trusted.
   */
  @Override
  public boolean holds() {
    ContentHash leaf = MerkleTree.leafHash(text.getBytes(UTF_8));
    return tree.root().equals(root(line - 1, tree.size(), leaf, path));
  }

  /**
   * The root that the path leads to from the hash of a leaf (RFC 9162, section 2.1.3.2); null when
   * there is no such leaf, or the path has another length than the way.
   */
  static @Nullable ContentHash root(
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

  @Override
  public JsonObject toJson() {
    return JsonObject.of(
        LINE,
        line,
        ProofJson.PATH,
        ProofJson.path(path),
        ProofJson.SCHEMA,
        SCHEMA,
        TEXT,
        text,
        ProofJson.TREE_ROOT,
        tree.root().toString(),
        ProofJson.TREE_SIZE,
        tree.size());
  }

  /**
   * Reads the JSON form. Whether the proof holds is not looked at.
   *
   * @throws DocumentFormatException if a member is missing, not as it should be, or not known
   */
  public static InclusionProof fromJson(JsonObject json) throws DocumentFormatException {
    StrictObject members = StrictObject.of(json);
    members.constant(ProofJson.SCHEMA, SCHEMA);
    members.only(
        LINE, ProofJson.PATH, ProofJson.SCHEMA, TEXT, ProofJson.TREE_ROOT, ProofJson.TREE_SIZE);
    return new InclusionProof(
        members.integer(LINE, 1),
        members.string(TEXT),
        ProofJson.head(members),
        members.hashes(ProofJson.PATH));
  }

  /** Makes a proof in one pass over all lines of a log. Not safe for use by several threads. */
  public static final class Builder {
    private final long line;
    private final long size;
    private final PathBuilder hashes;
    private @Nullable String text;

    private Builder(long line, long size) {
      this.line = line;
      this.size = size;
      hashes = PathBuilder.ofLeaf(line - 1, size);
    }

    /** Adds the next line, given without its line feed; fails as the other method does. */
    public Builder add(byte[] bytes) {
      return add(bytes, 0, bytes.length);
    }

    /**
     * Adds the next line, given without its line feed.
     *
     * @throws IllegalStateException if all lines were added
     * @throws IllegalArgumentException if it is the one to prove, and not UTF-8
     * @throws IndexOutOfBoundsException if the array has no such part
     */
    public Builder add(byte[] bytes, int from, int length) {
      Objects.checkFromIndexSize(from, length, bytes.length);
      if (hashes.added() == line - 1) {
        text = text(bytes, from, length);
      }
      hashes.add(bytes, from, length);
      return this;
    }

    private String text(byte[] bytes, int from, int length) {
      try {
        return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, length)).toString();
      } catch (CharacterCodingException e) {
        throw new IllegalArgumentException("line %d is not UTF-8".formatted(line), e);
      }
    }

    /**
     * The proof.
     *
     * @throws IllegalStateException if not all lines were added
     */
    public InclusionProof build() {
      List<ContentHash> start = hashes.hashes();
      List<ContentHash> path = start.subList(1, start.size());
      ContentHash root = root(line - 1, size, start.get(0), path);
      return new InclusionProof(
          line,
          Objects.requireNonNull(text),
          new TreeHead(size, Objects.requireNonNull(root)),
          path);
    }
  }
}
