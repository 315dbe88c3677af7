package dev.agentreplay.io.file;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Deletes files, and directories with all that is in them, which a program may have filled.
 *
 * <p>Symbolic links are deleted, not followed, also if a directory is replaced by one meanwhile:
 * files are deleted relative to open directories, where the platform has them (all but Windows).
 * Directories that their owner may not change are made accessible first. Neither the depth of a
 * tree nor the length of its paths is limited.
 */
public final class FileTree {

  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rwx------");

  /** Attempts to delete a directory in which a different process creates files. */
  private static final int ATTEMPTS = 10;

  /** The maximum number of directories that are listed before they are deleted. */
  private static final int LISTED = 1_000;

  private final SecureDirectoryStream<Path> top;
  private final Path path;
  private final BooleanSupplier isLate;

  /** The names in the top directory of directories that are not empty yet. */
  private final Deque<Path> open = new ArrayDeque<>();

  private final String moved = ".deleted-" + UUID.randomUUID() + "-";
  private long moves;

  private FileTree(SecureDirectoryStream<Path> top, Path path, BooleanSupplier isLate) {
    this.top = top;
    this.path = path;
    this.isLate = isLate;
  }

  /** Whether a path is that of an empty directory, or of nothing. */
  public static boolean isNewOrEmpty(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return !Files.exists(directory, LinkOption.NOFOLLOW_LINKS);
    }
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.findAny().isEmpty();
    }
  }

  /**
   * Deletes a file, or a directory with all that is in it, if it exists.
   *
   * @throws DirectoryNotEmptyException if files are created in it meanwhile
   * @throws IOException if a file cannot be deleted; those before it are
   */
  public static void delete(Path path) throws IOException {
    boolean unused = delete(path, () -> false);
  }

  /**
   * Deletes a tree until it is late.
   *
   * @return whether all was deleted
   */
  static boolean delete(Path path, BooleanSupplier isLate) throws IOException {
    Path absolute = path.toAbsolutePath();
    Path parent = absolute.getParent();
    Path name = absolute.getFileName();
    if (parent == null || name == null) {
      throw new IOException(path + ": a root directory is not deleted");
    } else if (!Files.isDirectory(absolute, LinkOption.NOFOLLOW_LINKS)) {
      Files.deleteIfExists(absolute);
      return true;
    }
    try (DirectoryStream<Path> above = Files.newDirectoryStream(parent)) {
      if (!(above instanceof SecureDirectoryStream<Path> secure)) {
        return visit(absolute, isLate);
      }
      makeAccessible(secure, name, absolute);
      for (int attempt = 1; ; attempt++) {
        if (!deleteContent(secure, name, absolute, isLate)) {
          return false;
        }
        try {
          secure.deleteDirectory(name);
          return true;
        } catch (DirectoryNotEmptyException e) {
          if (attempt == ATTEMPTS) {
            throw e;
          }
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    } catch (NoSuchFileException deletedMeanwhile) {
      if (Files.exists(absolute, LinkOption.NOFOLLOW_LINKS)) {
        throw deletedMeanwhile;
      }
      return true;
    }
  }

  private static boolean deleteContent(
      SecureDirectoryStream<Path> above, Path name, Path path, BooleanSupplier isLate)
      throws IOException {
    boolean isListed;
    do {
      try (SecureDirectoryStream<Path> top =
          above.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
        FileTree tree = new FileTree(top, path, isLate);
        isListed = tree.list();
        if (!tree.deleteDirectories()) {
          return false;
        }
      }
    } while (!isListed && !isLate.getAsBoolean());
    return isListed;
  }

  /**
   * Deletes the files in the top directory, and collects its directories, up to a number: these are
   * deleted before more are listed, so that each late deletion leaves less.
   *
   * @return whether these were all
   */
  private boolean list() throws IOException {
    for (Path entry : top) {
      Path name = entry.getFileName();
      if (!isDirectory(top, name)) {
        top.deleteFile(name);
        if (isLate.getAsBoolean()) {
          return false;
        }
      } else if (open.size() < LISTED) {
        open.push(name);
      } else {
        return false;
      }
    }
    return true;
  }

  /**
   * Deletes the collected directories, at least one of them or of its entries. Directories in
   * directories are moved up to the top directory: only two are open at the same time, and no path
   * is long.
   *
   * @return whether all are deleted; false if it is late
   */
  private boolean deleteDirectories() throws IOException {
    while (!open.isEmpty()) {
      Path name = open.pop();
      for (int attempt = 1; ; attempt++) {
        if (!empty(name)) {
          return false;
        }
        try {
          top.deleteDirectory(name);
          break;
        } catch (DirectoryNotEmptyException e) {
          if (attempt == ATTEMPTS) {
            throw e;
          }
        }
      }
      if (!open.isEmpty() && isLate.getAsBoolean()) {
        return false;
      }
    }
    return true;
  }

  private boolean empty(Path name) throws IOException {
    makeAccessible(top, name, path.resolve(name));
    try (SecureDirectoryStream<Path> directory =
        top.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
      for (Path entry : directory) {
        Path file = entry.getFileName();
        if (isDirectory(directory, file)) {
          // one that may not be written to cannot be moved
          makeAccessible(directory, file, path.resolve(name).resolve(file));
          Path place = name.resolveSibling(moved + moves++);
          directory.move(file, top, place);
          open.push(place);
        } else {
          directory.deleteFile(file);
        }
        if (isLate.getAsBoolean()) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isDirectory(SecureDirectoryStream<Path> directory, Path name)
      throws IOException {
    return directory
        .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .readAttributes()
        .isDirectory();
  }

  /**
   * Gives the owner of a directory all permissions. If that fails, so does the deletion of what is
   * in it, with a better message.
   */
  private static void makeAccessible(SecureDirectoryStream<Path> directory, Path name, Path path)
      throws IOException {
    PosixFileAttributeView view = directory.getFileAttributeView(
        name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    if (view == null) {
      return;
    }
    Set<PosixFilePermission> present = view.readAttributes().permissions();
    if (present.containsAll(OWNER)) {
      return;
    }
    Set<PosixFilePermission> permissions = EnumSet.copyOf(OWNER);
    permissions.addAll(present);
    try {
      if (present.contains(PosixFilePermission.OWNER_READ)) {
        view.setPermissions(permissions);
      } else { // it cannot be opened; the path is short, and its parent is accessible
        Files.setPosixFilePermissions(path, permissions);
      }
    } catch (IOException notTheOwner) {
      return;
    }
  }

  /** Deletes a tree on a platform without open directories. */
  private static boolean visit(Path path, BooleanSupplier isLate) throws IOException {
    boolean[] isComplete = {true};
    Files.walkFileTree(path, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
          throws IOException {
        if (isLate.getAsBoolean()) {
          isComplete[0] = false;
          return FileVisitResult.TERMINATE;
        }
        boolean unused = file.toFile().setWritable(true);
        Files.delete(file);
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
          throws IOException {
        Files.delete(visited);
        return FileVisitResult.CONTINUE;
      }
    });
    return isComplete[0];
  }
}
