package dev.agentreplay.model;

import java.util.Objects;

/**
 * What the log was up to here.
 *
 * @param treeSize the number of lines before this one, not negative
 * @param treeRoot the root of the Merkle tree (RFC 6962) over them
 * @param meta what every event has
 */
public record Checkpoint(long treeSize, ContentHash treeRoot, Meta meta) implements ReplayEvent {

  /** Checks for null. */
  public Checkpoint {
    Objects.requireNonNull(treeRoot, "treeRoot");
    Objects.requireNonNull(meta, "meta");
  }

  /** A checkpoint of a tree. */
  public static Checkpoint of(long treeSize, ContentHash treeRoot) {
    return new Checkpoint(treeSize, treeRoot, Meta.NONE);
  }

  @Override
  public EventKind kind() {
    return EventKind.CHECKPOINT;
  }

  @Override
  public Checkpoint withMeta(Meta newMeta) {
    return new Checkpoint(treeSize, treeRoot, newMeta);
  }
}
