package dev.agentreplay.convert.pack;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.SessionDirectory;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;

/**
 * Which files of a directory are those of a session: its log with all segments, its receipt,
 * envelope and summary, blobs by the names that they have, and what is in {@code snapshot/} and not
 * hidden. Others are taken only where a pattern names them: a file such as {@code .git/config} does
 * something where it is unpacked.
 */
final class PackSelection {

  private static final String BLOBS = Session.BLOBS_NAME + "/";
  private static final String SNAPSHOT = Session.SNAPSHOT_NAME + "/";

  private final List<PathMatcher> included;

  private PackSelection(List<PathMatcher> included) {
    this.included = included;
  }

  /**
   * The selection with some patterns.
   *
   * @throws IllegalArgumentException if one of them is none
   */
  static PackSelection of(List<String> patterns) {
    return new PackSelection(patterns.stream()
        .map(pattern -> FileSystems.getDefault().getPathMatcher("glob:" + pattern))
        .toList());
  }

  /** Whether a file is taken; its path is one that {@link PortablePath} finds no fault with. */
  boolean takes(String path) {
    return isOfSession(path) || (!included.isEmpty() && matches(Path.of(path)));
  }

  /** Whether a file in a directory may be taken. */
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
        || (path.startsWith(BLOBS) && SessionDirectory.isBlob(path.substring(BLOBS.length())))
        || (path.startsWith(SNAPSHOT) && !hasHidden(path));
  }

  private static boolean hasHidden(String path) {
    return path.contains("/.");
  }
}
