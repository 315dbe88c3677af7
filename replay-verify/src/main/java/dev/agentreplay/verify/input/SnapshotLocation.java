package dev.agentreplay.verify.input;

import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.SnapshotEntry;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The files of a session's directory that belong to snapshots of its workspace. */
public final class SnapshotLocation {

  private final @Nullable Path directory;

  /** The directory of a session; a log of a different name is a session by itself. */
  public SnapshotLocation(Session session) {
    Path log = session.log().toAbsolutePath();
    boolean isBeside =
        log.endsWith(Session.LOG_NAME) || log.endsWith(Session.COMPRESSED_LOG_NAME);
    this.directory = isBeside ? log.getParent() : null;
  }

  /** The directory of the session; null if the log is a session by itself. */
  public @Nullable Path directory() {
    return directory;
  }

  /**
   * The file at a location that a log states; null if it does not exist.
   *
   * @throws IllegalArgumentException if the location is not a path within the directory of the
   *     session
   * @throws IOException if it is not a regular file, or a link leads to it
   */
  public @Nullable Path find(String location) throws IOException {
    SnapshotEntry.requirePath(location);
    Path at = directory;
    if (at == null) {
      return null;
    }
    String[] names = location.split("/");
    for (int i = 0; i < names.length; i++) {
      at = child(at, names[i]);
      boolean isLast = i == names.length - 1;
      if ((isLast ? RegularFiles.file(at) : RegularFiles.directory(at)) == null) {
        return null;
      }
    }
    return at;
  }

  private static Path child(Path directory, String name) {
    try {
      Path child = directory.resolve(name);
      if (child.getNameCount() == directory.getNameCount() + 1 && child.startsWith(directory)) {
        return child;
      }
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    throw new IllegalArgumentException("not the name of a file: " + name); // as "C:" on Windows
  }
}
