package dev.agentreplay.verify;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.io.ReplayLine;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.FindingCode;
import dev.agentreplay.model.Position;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far a log that grows was verified, and what is needed to go on there without reading again
 * what was before: {@link ReceiptVerifier#verify(dev.agentreplay.io.Session, VerificationState)}.
 * It holds no line of the log, but the right edge of the tree over them, and so takes a few
 * kilobytes, and 8 bytes for each call. Immutable.
 *
 * <p>It has to be kept where who writes the log cannot change it. It says what the lines were, and
 * the last of them must be there still; that all of them are is known only when they are read
 * again.
 */
public final class VerificationState {

  /**
   * The last line that was verified: the log must still have it there.
   *
   * @param at where it begins
   * @param leaf its hash as a leaf of the tree
   */
  record LastLine(Position at, ContentHash leaf) {

    static LastLine of(ReplayLine line) {
      return new LastLine(line.position(), MerkleTree.leafHash(line.raw()));
    }
  }

  private final Position next;
  private final @Nullable LastLine last;
  private final TreeHead tree;
  private final List<ContentHash> edge;
  private final @Nullable Dialect dialect;
  private final @Nullable Canonicalization canonicalization;
  private final TreeVerifier.Progress statements;
  private final LogProgress log;
  private final Map<Counter, Long> counts;
  private final Map<FindingCode, Long> findingCounts;

  VerificationState(
      Position next,
      @Nullable LastLine last,
      TreeHead tree,
      List<ContentHash> edge,
      @Nullable Dialect dialect,
      @Nullable Canonicalization canonicalization,
      TreeVerifier.Progress statements,
      LogProgress log,
      Map<Counter, Long> counts,
      Map<FindingCode, Long> findingCounts) {
    this.next = next;
    this.last = last;
    this.tree = tree;
    this.edge = List.copyOf(edge);
    this.dialect = dialect;
    this.canonicalization = canonicalization;
    this.statements = statements;
    this.log = log;
    this.counts = Map.copyOf(counts);
    this.findingCounts = Map.copyOf(findingCounts);
  }

  /**
   * Reads the JSON form.
   *
   * @throws IllegalArgumentException if it is not one, or contradicts itself
   */
  public static VerificationState fromJson(JsonObject json) {
    return VerificationStateJson.read(json);
  }

  /** The JSON form: schema {@code replay.verified/1}, docs/format.md. */
  public JsonObject toJson() {
    return VerificationStateJson.write(this);
  }

  /** The tree over the lines that were verified. */
  public TreeHead tree() {
    return tree;
  }

  /** Where the next line begins. */
  public Position next() {
    return next;
  }

  @Nullable
  LastLine last() {
    return last;
  }

  List<ContentHash> edge() {
    return edge;
  }

  @Nullable
  Dialect dialect() {
    return dialect;
  }

  /** The profile of the log; null when its header names one that is not known. */
  @Nullable
  Canonicalization canonicalization() {
    return canonicalization;
  }

  TreeVerifier.Progress statements() {
    return statements;
  }

  LogProgress log() {
    return log;
  }

  Map<Counter, Long> counts() {
    return counts;
  }

  Map<FindingCode, Long> findingCounts() {
    return findingCounts;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof VerificationState that && toJson().equals(that.toJson());
  }

  @Override
  public int hashCode() {
    return tree.hashCode();
  }

  /** How far it is. */
  @Override
  public String toString() {
    return "verified up to " + next;
  }
}
