package dev.agentreplay.io.internal;

import dev.agentreplay.io.Session;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files of a session's directory, whoever put them there. Left out is what a recorder leaves
 * when it is killed, where it leaves it: temporary names in the directory itself and in that of the
 * blobs, and the lock of the log.
 */
public final class SessionTree {

  /** What a writer of a log that is at work keeps beside it. */
  private static final Path LOCK = Path.of(Session.LOG_NAME + ".lock");

  private static final Path BLOBS = Path.of(Session.BLOBS_NAME);

  private final Path root;
  private final Map<Path, Long> files = new LinkedHashMap<>();
  private final List<Path> leftOut = new ArrayList<>();

  private SessionTree(Path root) {
    this.root = root;
  }

  /**
   * The files that are in a directory now.
   *
   * @throws IOException if there is something else than files and directories
   */
  public static SessionTree of(Path root) throws IOException {
    return except(null, root);
  }

  /** The files that are in a directory now, but not those in another one. */
  public static SessionTree except(@Nullable Path other, Path root) throws IOException {
    SessionTree tree = new SessionTree(root);
    Files.walkFileTree(root, tree.new Collector(other));
    return tree;
  }

  /** The files with their lengths, by their paths from the directory. */
  public Map<Path, Long> files() {
    return files;
  }

  /** The paths of what was left out: files, and directories with all they hold. */
  public List<Path> leftOut() {
    return leftOut;
  }

  private static boolean isTemporary(Path path) {
    Path parent = path.getParent();
    return (parent == null || parent.equals(BLOBS))
        && WholeFile.isTemporary(path.getFileName().toString());
  }

  private final class Collector extends SimpleFileVisitor<Path> {
    private final @Nullable Path except;

    Collector(@Nullable Path except) {
      this.except = except;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
        throws IOException {
      Path path = root.relativize(directory);
      if (isTemporary(path)) {
        leftOut.add(path);
        return FileVisitResult.SKIP_SUBTREE;
      }
      return except != null && Files.exists(except) && Files.isSameFile(directory, except)
          ? FileVisitResult.SKIP_SUBTREE
          : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Path path = root.relativize(file);
      if (isTemporary(path) || path.equals(LOCK)) {
        leftOut.add(path);
      } else if (attributes.isRegularFile()) {
        files.put(path, attributes.size());
      } else {
        throw SessionFiles.refused(file, attributes, "regular file");
      }
      return FileVisitResult.CONTINUE;
    }
  }
}
