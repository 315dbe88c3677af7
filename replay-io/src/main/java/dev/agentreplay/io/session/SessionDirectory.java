package dev.agentreplay.io.session;

import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.io.log.LogSegments;
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
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The files of a session's directory. Files that a recorder leaves when it is killed are left out:
 * temporary files in the directory itself and in that of the blobs, and the lock file of the log.
 */
public final class SessionDirectory {

  /** The lock file that a writer keeps next to its log. */
  private static final String LOCK_NAME = Session.LOG_NAME + ".lock";

  private static final Path BLOBS = Path.of(Session.BLOBS_NAME);

  private static final Pattern BLOB = Pattern.compile("sha256-[0-9a-f]{64}\\.json");

  private final Path root;
  private final Map<Path, Long> files = new LinkedHashMap<>();
  private final List<Path> leftOut = new ArrayList<>();

  private SessionDirectory(Path root) {
    this.root = root;
  }

  /**
   * Lists the files in a directory and below it.
   *
   * @param includes whether a file is included, by its path relative to the directory
   * @param enters whether a directory may contain such files, by its path relative to the directory
   * @throws IOException if an entry that is to be included is not a regular file
   */
  public static SessionDirectory of(Path root, Predicate<Path> includes, Predicate<Path> enters)
      throws IOException {
    SessionDirectory tree = new SessionDirectory(root);
    Files.walkFileTree(root, tree.new Collector(includes, enters));
    return tree;
  }

  /**
   * Whether a name is that of a log, of a segment, of a receipt, of its envelope or of a public
   * checkpoint.
   */
  public static boolean isOfSession(String name) {
    return name.equals(Session.LOG_NAME)
        || name.equals(Session.COMPRESSED_LOG_NAME)
        || name.equals(Session.RECEIPT_NAME)
        || name.equals(Session.ENVELOPE_NAME)
        || name.equals(Session.PUBLIC_CHECKPOINT_NAME)
        || LogSegments.isLaterSegment(Session.LOG_NAME, name);
  }

  /** Whether a name in the directory of blobs is that of a blob. */
  public static boolean isBlob(String name) {
    return BLOB.matcher(name).matches();
  }

  /**
   * Whether a recorder uses a name while it runs: for the lock file of its log, or for a temporary
   * file.
   */
  public static boolean isLeftover(String name) {
    return name.equals(LOCK_NAME) || WholeFile.isTemporary(name);
  }

  /** The included files with their lengths in bytes, by their paths relative to the directory. */
  public Map<Path, Long> files() {
    return files;
  }

  /**
   * The paths that were left out, relative to the directory: files, and directories with everything
   * below them.
   */
  public List<Path> leftOut() {
    return leftOut;
  }

  private static boolean isLeftover(Path path) {
    String name = path.getFileName().toString();
    return path.getParent() == null
        ? isLeftover(name)
        : path.getParent().equals(BLOBS) && WholeFile.isTemporary(name);
  }

  private final class Collector extends SimpleFileVisitor<Path> {
    private final Predicate<Path> includes;
    private final Predicate<Path> enters;

    Collector(Predicate<Path> includes, Predicate<Path> enters) {
      this.includes = includes;
      this.enters = enters;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
        throws IOException {
      Path path = root.relativize(directory);
      if (!directory.equals(root) && (isLeftover(path) || !enters.test(path))) {
        leftOut.add(path);
        return FileVisitResult.SKIP_SUBTREE;
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Path path = root.relativize(file);
      if (isLeftover(path) || !includes.test(path)) {
        leftOut.add(path);
      } else if (attributes.isRegularFile()) {
        files.put(path, attributes.size());
      } else {
        throw RegularFiles.refused(file, attributes, "regular file");
      }
      return FileVisitResult.CONTINUE;
    }
  }
}
