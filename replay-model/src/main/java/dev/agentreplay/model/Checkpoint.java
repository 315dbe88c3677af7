package dev.agentreplay.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the log was up to here.
 *
 * @param tree the tree over the lines before this one
 * @param signature the text of a {@link dev.agentreplay.model.signature.Signature} over this event;
 *     null when it is not signed
 * @param meta what every event has
 */
public record Checkpoint(TreeHead tree, @Nullable String signature, Meta meta)
    implements ReplayEvent {

  /** Checks for null. */
  public Checkpoint {
    Objects.requireNonNull(tree, "tree");
    Objects.requireNonNull(meta, "meta");
  }

  /** A checkpoint that is not signed. */
  public static Checkpoint of(TreeHead tree) {
    return new Checkpoint(tree, null, Meta.NONE);
  }

  @Override
  public EventKind kind() {
    return EventKind.CHECKPOINT;
  }

  /** With another signature, or without one. */
  public Checkpoint withSignature(@Nullable String newSignature) {
    return new Checkpoint(tree, newSignature, meta);
  }

  @Override
  public Checkpoint withMeta(Meta newMeta) {
    return new Checkpoint(tree, signature, newMeta);
  }
}
