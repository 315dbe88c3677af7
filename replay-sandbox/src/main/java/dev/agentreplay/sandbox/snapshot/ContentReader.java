package dev.agentreplay.sandbox.snapshot;

import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.workspace.SnapshotEntry;
import dev.agentreplay.model.BlobRef;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/** Reads the contents of files for a scan, and may store them. Safe for use by several threads. */
@FunctionalInterface
public interface ContentReader {

  /**
   * Reads a file, and returns the hash and the length of its bytes. It may be called again for a
   * file that has changed in the meantime.
   *
   * @param file the file; links are not followed
   * @param most the maximum number of bytes to read
   */
  BlobRef read(Path file, long most) throws IOException;

  /**
   * Called for a file that has not changed since the index that the scan was given.
   *
   * @return whether its content is available; else the file is read
   */
  default boolean unchanged(SnapshotEntry.File file) throws IOException {
    return true;
  }

  /** The reader that computes hashes and stores nothing. */
  static ContentReader hashing() {
    return (file, most) -> RegularFiles.measure(file, most, OutputStream.nullOutputStream());
  }
}
