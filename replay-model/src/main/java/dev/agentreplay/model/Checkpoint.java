package dev.agentreplay.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A checkpoint of the log: the tree head over all lines before this one. A signed checkpoint
 * corresponds to the signed tree head of RFC 6962.
 *
 * @param tree the size and root of the Merkle tree over the lines before this one
 * @param signature the text of a {@link dev.agentreplay.model.signature.Signature} over this event;
 *     null when the checkpoint is not signed
 * @param meta the data common to all events
 */
public record Checkpoint(TreeHead tree, @Nullable String signature, Meta meta)
    implements ReplayEvent {

  /** Checks for null. */
  public Checkpoint {
    Objects.requireNonNull(tree, "tree");
    Objects.requireNonNull(meta, "meta");
  }

  /** Creates a checkpoint without signature. */
  public static Checkpoint of(TreeHead tree) {
    return new Checkpoint(tree, null, Meta.NONE);
  }

  @Override
  public EventKind kind() {
    return EventKind.CHECKPOINT;
  }

  /** Returns a copy with the given signature; null removes it. */
  public Checkpoint withSignature(@Nullable String newSignature) {
    return new Checkpoint(tree, newSignature, meta);
  }

  @Override
  public Checkpoint withMeta(Meta newMeta) {
    return new Checkpoint(tree, signature, newMeta);
  }
}
