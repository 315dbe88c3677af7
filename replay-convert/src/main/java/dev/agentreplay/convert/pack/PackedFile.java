package dev.agentreplay.convert.pack;

import dev.agentreplay.model.ContentHash;
import java.util.Objects;

/**
 * A file of a packed session, as the manifest has it.
 *
 * @param path its path in the session's directory, with {@code /} between segments
 * @param bytes its length
 * @param sha256 the hash of its bytes
 */
public record PackedFile(String path, long bytes, ContentHash sha256) {

  /** Checks for null. */
  public PackedFile {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(sha256, "sha256");
  }
}
