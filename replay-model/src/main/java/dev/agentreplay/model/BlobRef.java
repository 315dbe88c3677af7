package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonObject;
import java.util.Objects;

/**
 * A reference to a value that is stored in a file of its own next to the log (a blob), as canonical
 * JSON.
 *
 * @param blob the SHA-256 of the blob, which names its file
 * @param bytes the length of the blob in bytes, not negative
 * @param extra members that this version does not know
 */
public record BlobRef(ContentHash blob, long bytes, JsonObject extra) {

  /** Checks for null. */
  public BlobRef {
    Objects.requireNonNull(blob, "blob");
    Objects.requireNonNull(extra, "extra");
  }

  /** Creates a reference to a blob. */
  public static BlobRef of(ContentHash blob, long bytes) {
    return new BlobRef(blob, bytes, JsonObject.EMPTY);
  }
}
