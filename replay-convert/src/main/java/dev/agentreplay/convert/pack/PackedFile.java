package dev.agentreplay.convert.pack;

import dev.agentreplay.model.ContentHash;

/** A file of a packed session, as listed in the manifest. Immutable. */
public final class PackedFile {

  private final String path;
  private final long bytes;
  private final ContentHash sha256;

  PackedFile(String path, long bytes, ContentHash sha256) {
    this.path = path;
    this.bytes = bytes;
    this.sha256 = sha256;
  }

  /** The path in the directory of the session, with {@code /} between segments. */
  public String path() {
    return path;
  }

  /** The length in bytes. */
  public long bytes() {
    return bytes;
  }

  /** The SHA-256 hash of the bytes. */
  public ContentHash sha256() {
    return sha256;
  }

  @Override
  public String toString() {
    return "%s: %d bytes, %s".formatted(path, bytes, sha256);
  }
}
