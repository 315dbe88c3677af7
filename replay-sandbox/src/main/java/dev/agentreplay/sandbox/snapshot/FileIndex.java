package dev.agentreplay.sandbox.snapshot;

import dev.agentreplay.io.workspace.SnapshotEntry;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files of a workspace as a scan found them, by which a later scan knows those that have not
 * changed without reading them: size, times of modification and change, inode and mode are the
 * same. Files that were changed at the time of the scan are not in it, as in Git, because a later
 * change might have the same time ("racily clean"). Immutable.
 */
public final class FileIndex {

  /** The index without files. */
  public static final FileIndex EMPTY = new FileIndex(Map.of());

  /**
   * A file of a workspace.
   *
   * @param stat the state of the file when it was read
   * @param file the file with its hash
   */
  record Known(FileStat stat, SnapshotEntry.File file) {}

  private final Map<String, Known> files;

  FileIndex(Map<String, Known> files) {
    this.files = files;
  }

  /** The files by their path. */
  Map<String, Known> files() {
    return files;
  }

  /** The file at a path; null if it is not known, or has changed. */
  @Nullable
  Known find(String path, FileStat now) {
    Known known = files.get(path);
    return known != null && known.stat().equals(now) ? known : null;
  }

  /** Whether both have the same files in the same state. */
  boolean isSameAs(FileIndex other) {
    return files.equals(other.files);
  }
}
