package dev.agentreplay.model;

import java.util.Objects;

/**
 * Refers to a value that is kept beside the log, as canonical JSON.
 *
 * @param blob its hash, which is also its name
 * @param bytes the length of its canonical form, in bytes
 */
public record BlobRef(ContentHash blob, long bytes) {

  /** Checks for null. */
  public BlobRef {
    Objects.requireNonNull(blob, "blob");
  }
}
