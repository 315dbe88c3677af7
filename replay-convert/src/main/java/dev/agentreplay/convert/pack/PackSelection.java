package dev.agentreplay.convert.pack;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.SessionDirectory;
import dev.agentreplay.io.workspace.SnapshotFiles;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;

/**
 * Selects the files of a directory that belong to a session: its log with all segments, its
 * receipt, envelope, public checkpoint and summary, blobs with their usual names, and files in
 * {@code snapshot/} that are not hidden. Other files are selected only if a pattern matches them,
 * because a file such as {@code .git/config} has effects in the directory where it is unpacked.
 */
final class PackSelection {

  private static final String BLOBS = Session.BLOBS_NAME + "/";
  private static final String SNAPSHOT = Session.SNAPSHOT_NAME + "/";

  private final List<PathMatcher> included;

  private PackSelection(List<PathMatcher> included) {
    this.included = included;
  }

  /**
   * Returns the selection with some patterns.
   *
   * @throws IllegalArgumentException if a pattern is invalid
   */
  static PackSelection of(List<String> patterns) {
    return new PackSelection(patterns.stream()
        .map(pattern -> FileSystems.getDefault().getPathMatcher("glob:" + pattern))
        .toList());
  }

  /** Whether a file is selected; its path must be free of {@link PortablePath#fault faults}. */
  boolean takes(String path) {
    return isOfSession(path) || (!included.isEmpty() && matches(Path.of(path)));
  }

  /** Whether a file is a cache, which a user does not miss in a pack. */
  static boolean isCache(String path) {
    return path.equals(SNAPSHOT + SnapshotFiles.INDEX_NAME);
  }

  /** Whether files in a directory may be selected. */
  boolean entersDirectory(String path) {
    if (!included.isEmpty()) {
      return true;
    }
    String directory = path + "/";
    return directory.equals(BLOBS) || (directory.startsWith(SNAPSHOT) && !hasHidden(directory));
  }

  private boolean matches(Path path) {
    return included.stream().anyMatch(matcher -> matcher.matches(path));
  }

  private static boolean isOfSession(String path) {
    return SessionDirectory.isOfSession(path)
        || path.equals(Session.SUMMARY_NAME)
        || path.equals(Session.ACCEPTED_NAME)
        || path.equals(Session.IMPORT_NAME)
        || (path.startsWith(BLOBS) && SessionDirectory.isBlob(path.substring(BLOBS.length())))
        || (path.startsWith(SNAPSHOT) && !hasHidden(path));
  }

  private static boolean hasHidden(String path) {
    return path.contains("/.");
  }
}
