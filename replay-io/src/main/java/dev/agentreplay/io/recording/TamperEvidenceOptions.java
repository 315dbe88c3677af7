package dev.agentreplay.io.recording;

import dev.agentreplay.model.signature.Signature;
import dev.agentreplay.model.signature.Signer;
import org.jspecify.annotations.Nullable;

/**
 * What a writer adds so that a change of its log is found later, and by whom it was written is
 * known. Each says more than the one before:
 *
 * <ul>
 *   <li>the tree over the lines: its root stands in the receipt, and for any line, or for an
 *       earlier state of the log, a short proof can be made that it belongs to that root;
 *   <li>checkpoints, events that state the root so far: damage is located between two of them, and
 *       a log without a receipt says what it was;
 *   <li>a signature over each checkpoint and the receipt: without the key, neither can be made
 *       anew.
 * </ul>
 *
 * @param tree whether the tree over the lines is computed
 * @param checkpointInterval a checkpoint is written before an event when so many lines follow the
 *     one before, and at {@link ReplayWriter#sync}; 0 for none at all
 * @param signer signs checkpoints and the receipt; null for no signatures. While it signs a
 *     checkpoint all threads that write wait, so that their events may stand behind later ones, and
 *     it must not call the writer or its recorder
 */
public record TamperEvidenceOptions(
    boolean tree, long checkpointInterval, @Nullable Signer signer) {

  /**
   * Checks what goes together.
   *
   * @throws IllegalArgumentException if the interval is negative, or there are to be checkpoints
   *     without a tree, or the signer's algorithm or key has no name as a {@link Signature} needs
   *     it
   */
  public TamperEvidenceOptions {
    if (checkpointInterval < 0) {
      throw new IllegalArgumentException(
          "checkpointInterval must not be negative: " + checkpointInterval);
    }
    if (checkpointInterval > 0 && !tree) {
      throw new IllegalArgumentException("checkpoints state the root of a tree: there is none");
    }
    if (signer != null) {
      new Signature(
          signer.algorithm(), signer.keyId(), new byte[1]); // now, not when it is too late
    }
  }

  /** Nothing. */
  public static TamperEvidenceOptions none() {
    return new TamperEvidenceOptions(false, 0, null);
  }

  /** The tree, no checkpoints, no signatures. */
  public static TamperEvidenceOptions defaults() {
    return new TamperEvidenceOptions(true, 0, null);
  }

  /** With a checkpoint every so many lines, and at {@link ReplayWriter#sync}; 0 for none. */
  public TamperEvidenceOptions withCheckpointInterval(long newCheckpointInterval) {
    return new TamperEvidenceOptions(tree, newCheckpointInterval, signer);
  }

  /** With another signer, or without one. */
  public TamperEvidenceOptions withSigner(@Nullable Signer newSigner) {
    return new TamperEvidenceOptions(tree, checkpointInterval, newSigner);
  }
}
