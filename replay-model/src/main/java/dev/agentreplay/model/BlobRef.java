package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonObject;
import java.util.Objects;

/**
 * Refers to a value that is kept beside the log, as canonical JSON.
 *
 * @param blob its hash, which is also its name
 * @param bytes the length of its canonical form, in bytes
 * @param extra members that this version does not know
 */
public record BlobRef(ContentHash blob, long bytes, JsonObject extra) {

  /** Checks for null. */
  public BlobRef {
    Objects.requireNonNull(blob, "blob");
    Objects.requireNonNull(extra, "extra");
  }

  /** Refers to a value. */
  public static BlobRef of(ContentHash blob, long bytes) {
    return new BlobRef(blob, bytes, JsonObject.EMPTY);
  }
}
