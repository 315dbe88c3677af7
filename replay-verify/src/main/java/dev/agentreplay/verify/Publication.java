package dev.agentreplay.verify;

import dev.agentreplay.canonical.commitment.Commitment;
import dev.agentreplay.canonical.commitment.PublishedHeader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The publication that a log states it is: a copy of a session that shows some of its values. The
 * counters of a {@link VerificationReport} tell how many, and its conclusions what is proved about
 * them. Immutable.
 */
public final class Publication {

  /** The state of {@value Session#PUBLIC_CHECKPOINT_NAME} in the directory of the log. */
  enum Checkpoint {
    MISSING,
    MALFORMED,
    /** It could not be compared, because an opening is invalid or the log has no commitments. */
    UNCOMPARED,
    DIFFERENT,
    MATCHING
  }

  private final PublishedHeader header;
  private final @Nullable TreeHead tree;
  private final Checkpoint checkpoint;
  private final boolean isSigned;
  private final @Nullable String signer;
  private final int trusted;

  /**
   * Creates a publication.
   *
   * @param tree the head of the public tree; null if it is not known
   * @param isSigned whether the checkpoint has an envelope
   * @param signer the trusted key that signed the matching checkpoint; null when none did
   * @param trusted the number of the caller's public checkpoints that match
   */
  Publication(
      PublishedHeader header,
      @Nullable TreeHead tree,
      Checkpoint checkpoint,
      boolean isSigned,
      @Nullable String signer,
      int trusted) {
    this.header = header;
    this.tree = tree;
    this.checkpoint = checkpoint;
    this.isSigned = isSigned;
    this.signer = signer;
    this.trusted = trusted;
  }

  /**
   * The form: the id of a {@link dev.agentreplay.canonical.commitment.PublicForm},
   * {@value PublishedHeader#PLAIN} for a log without commitments, or one that this version does not
   * know.
   */
  public String form() {
    return header.form();
  }

  /** The id of the policy that determines which values are shown. */
  public String policyId() {
    return header.policyId();
  }

  /** The SHA-256 of the canonical JSON of the policy; null unless it is a preset. */
  public @Nullable ContentHash policyHash() {
    return header.policyHash();
  }

  /**
   * The commitment to the policy, whose owner can disclose it; null if it is a preset, or none is
   * stated.
   */
  public @Nullable Commitment policyCommitment() {
    return header.policyCommitment();
  }

  /**
   * The verdict on the session that was published, as the publisher claims it: {@code valid},
   * {@code unverified} or {@code invalid}. No signature covers this claim.
   */
  public String source() {
    return header.source();
  }

  /**
   * The head of the public tree, computed from the shown values and the openings of all lines; null
   * when the log has no commitments, or a line or an opening cannot be read or does not fit the
   * values.
   */
  public @Nullable TreeHead tree() {
    return tree;
  }

  boolean isPlain() {
    return header.isPlain();
  }

  Checkpoint checkpoint() {
    return checkpoint;
  }

  boolean isSigned() {
    return isSigned;
  }

  @Nullable
  String signer() {
    return signer;
  }

  int trusted() {
    return trusted;
  }

  @Override
  public String toString() {
    return "%s under %s: %s".formatted(form(), policyId(), Objects.toString(tree, "no root"));
  }
}
