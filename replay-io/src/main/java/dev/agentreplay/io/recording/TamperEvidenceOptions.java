package dev.agentreplay.io.recording;

import dev.agentreplay.model.signature.Signature;
import dev.agentreplay.model.signature.Signer;
import org.jspecify.annotations.Nullable;

/**
 * The data that a writer adds so that later changes of its log can be detected, and its author
 * verified. Checkpoints need the tree; signatures need neither:
 *
 * <ul>
 *   <li>the Merkle tree over the lines (RFC 6962): its root is in the receipt, and short proofs can
 *       be created that a line is in the log (inclusion proof), or that the log has only grown
 *       since an earlier state (consistency proof);
 *   <li>checkpoints, events that state the current size and root of the tree: damage is located
 *       between two of them, and a log without a receipt states its own earlier states;
 *   <li>a signature over each checkpoint and the receipt: without the key, neither can be forged.
 * </ul>
 *
 * @param tree whether the tree over the lines is computed
 * @param checkpointInterval the number of lines after a checkpoint at which the next one is
 *     written, before an event, and also at {@link ReplayWriter#sync}; 0 for no checkpoints
 * @param signer the signer of checkpoints and receipt; null for no signatures. While it signs a
 *     checkpoint all writing threads wait, and events may be written in a different order than they
 *     were emitted; it must not call the writer or its recorder
 */
public record TamperEvidenceOptions(
    boolean tree, long checkpointInterval, @Nullable Signer signer) {

  /**
   * Checks the combination of the options.
   *
   * @throws IllegalArgumentException if the interval is negative, checkpoints are enabled without
   *     the tree, or algorithm or key id of the signer are not valid in a {@link Signature}
   */
  public TamperEvidenceOptions {
    if (checkpointInterval < 0) {
      throw new IllegalArgumentException(
          "checkpointInterval must not be negative: " + checkpointInterval);
    }
    if (checkpointInterval > 0 && !tree) {
      throw new IllegalArgumentException(
          "checkpoints need the tree: enable it, or set checkpointInterval to 0");
    }
    if (signer != null) {
      new Signature(
          signer.algorithm(), signer.keyId(), new byte[1]); // fail early, not when the session ends
    }
  }

  /** No tree, no checkpoints, no signatures. */
  public static TamperEvidenceOptions none() {
    return new TamperEvidenceOptions(false, 0, null);
  }

  /** The default options: the tree, no checkpoints, no signatures. */
  public static TamperEvidenceOptions defaults() {
    return new TamperEvidenceOptions(true, 0, null);
  }

  /**
   * Returns these options with a checkpoint every so many lines, and at {@link ReplayWriter#sync};
   * 0 for none.
   */
  public TamperEvidenceOptions withCheckpointInterval(long newCheckpointInterval) {
    return new TamperEvidenceOptions(tree, newCheckpointInterval, signer);
  }

  /** Returns these options with a different signer, or without one. */
  public TamperEvidenceOptions withSigner(@Nullable Signer newSigner) {
    return new TamperEvidenceOptions(tree, checkpointInterval, newSigner);
  }
}
