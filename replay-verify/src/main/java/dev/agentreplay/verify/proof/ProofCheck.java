package dev.agentreplay.verify.proof;

import dev.agentreplay.canonical.tree.ConsistencyProof;
import dev.agentreplay.canonical.tree.InclusionProof;
import dev.agentreplay.canonical.tree.MerkleProof;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.verify.Verdict;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * The result of checking a Merkle proof with trusted heads: whether its path leads to its roots,
 * and which trusted heads state them.
 *
 * <pre>{@code
 * MerkleProof proof = MerkleProof.fromJson(JsonText.parse(text).asObject());
 * TrustedHead monday = TrustedHead.read(Path.of("monday.json"), null);
 * boolean isProved = ProofCheck.of(proof, List.of(monday)).verdict() == Verdict.VALID;
 * }</pre>
 *
 * <p>Immutable. {@link dev.agentreplay.verify.report.ProofReport} renders it.
 */
public final class ProofCheck {

  private final MerkleProof proof;
  private final HeadTrust trust;

  private ProofCheck(MerkleProof proof, HeadTrust trust) {
    this.proof = proof;
    this.trust = trust;
  }

  /** Checks a proof. */
  public static ProofCheck of(MerkleProof proof, Collection<TrustedHead> trusted) {
    Objects.requireNonNull(proof, "proof");
    List<TreeHead> roots = proof instanceof ConsistencyProof consistency
        ? List.of(consistency.first(), consistency.second())
        : List.of(((InclusionProof) proof).tree());
    return new ProofCheck(proof, HeadTrust.of(roots, false, trusted));
  }

  /** The proof. */
  public MerkleProof proof() {
    return proof;
  }

  /** The trusted heads, in the order given. */
  public List<TrustedHead> trusted() {
    return trust.trusted();
  }

  /** The trusted heads that state a root of the proof. */
  public List<TrustedHead> supporting() {
    return trust.supporting();
  }

  /**
   * The trusted heads that state a different root for the same number of lines as a root of the
   * proof.
   */
  public List<TrustedHead> contradicting() {
    return trust.contradicting();
  }

  /**
   * The verdict: {@link Verdict#VALID} when the proof holds and every trusted head states a root of
   * it; {@link Verdict#INVALID} when it does not hold, or a trusted head contradicts it; otherwise
   * {@link Verdict#UNVERIFIED}, also when no heads are trusted.
   */
  public Verdict verdict() {
    return trust.verdict(proof.holds());
  }

  @Override
  public String toString() {
    return "%s: %s".formatted(verdict(), proof);
  }
}
