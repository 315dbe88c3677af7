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
 * A line of a log and the proof that it is a leaf of the log's tree (inclusion proof, called audit
 * path in RFC 6962, section 2.1.1). It discloses a single event to a verifier that trusts the tree
 * head but has not seen the log. A proof may come from an attacker: {@link #holds} never throws,
 * whatever the proof contains, and accepts only the proof that the RFC defines.
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
 * TreeHead claimed = received.holds() ? received.tree() : null; // compare with a trusted head
 * }</pre>
 *
 * @param line the number of the line, from 1
 * @param text the line without its line feed
 * @param tree the head of the tree over all lines
 * @param path the hashes of the siblings on the way from the leaf to the root, the deepest first
 */
public record InclusionProof(long line, String text, TreeHead tree, List<ContentHash> path)
    implements MerkleProof {

  /** The member {@code schema} of the JSON form. */
  public static final String SCHEMA = "replay.inclusion/1";

  private static final String LINE = "line";
  private static final String TEXT = "text";

  /**
   * Checks for null and copies the path.
   *
   * @throws IllegalArgumentException if the text contains a lone surrogate
   */
  public InclusionProof {
    text = JsonString.of(text).value();
    Objects.requireNonNull(tree, "tree");
    path = List.copyOf(path);
  }

  /**
   * Returns a builder of the proof for a line.
   *
   * @param line the number of the line, from 1
   * @param size the number of lines of the log
   * @throws IndexOutOfBoundsException if there is no such line
   */
  public static Builder builder(long line, long size) {
    return new Builder(line, size);
  }

  /**
   * Whether the path leads from the line to the root. The result does not authenticate the head:
   * compare {@link #tree} with a trusted one.
   */
  @Override
  public boolean holds() {
    ContentHash leaf = MerkleTree.leafHash(text.getBytes(UTF_8));
    return tree.root().equals(AuditPath.root(line - 1, tree.size(), leaf, path));
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
   * Reads the JSON form. Does not check whether the proof holds.
   *
   * @throws DocumentFormatException if a member is missing, invalid or unknown
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

  /** Builds a proof in one pass over all lines of a log. Not safe for use by several threads. */
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
     * @throws IllegalArgumentException if it is the line to prove and not valid UTF-8
     * @throws IndexOutOfBoundsException if the range is out of bounds
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
     * Returns the proof.
     *
     * @throws IllegalStateException if not all lines have been added
     */
    public InclusionProof build() {
      List<ContentHash> start = hashes.hashes();
      List<ContentHash> path = start.subList(1, start.size());
      ContentHash root = AuditPath.root(line - 1, size, start.get(0), path);
      return new InclusionProof(
          line,
          Objects.requireNonNull(text),
          new TreeHead(size, Objects.requireNonNull(root)),
          path);
    }
  }
}
