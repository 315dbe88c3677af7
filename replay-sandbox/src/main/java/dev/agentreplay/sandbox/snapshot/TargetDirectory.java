package dev.agentreplay.sandbox.snapshot;

import dev.agentreplay.io.file.OwnerOnly;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * A directory that was missing or empty, and that is filled completely or left as it was. Its path
 * is resolved by the operating system alone: a normalized one may be that of a different directory,
 * because {@code missing/..} does not exist, and {@code link/..} is the parent of the link's
 * target.
 */
final class TargetDirectory {

  private final Path path;
  private final boolean isNew;

  private TargetDirectory(Path path, boolean isNew) {
    this.path = path;
    this.isNew = isNew;
  }

  /**
   * Creates the directory, for its owner alone, or takes an empty one.
   *
   * @throws FileAlreadyExistsException if it exists and is not a directory, or is a link to one
   * @throws DirectoryNotEmptyException if it is not empty
   */
  static TargetDirectory of(Path directory) throws IOException {
    boolean isNew = !Files.exists(directory, LinkOption.NOFOLLOW_LINKS);
    if (isNew) {
      OwnerOnly.createDirectory(directory);
    } else {
      requireEmpty(directory);
    }
    return new TargetDirectory(directory.toRealPath(), isNew);
  }

  private static void requireEmpty(Path directory) throws IOException {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(directory.toString());
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      if (entries.iterator().hasNext()) {
        throw new DirectoryNotEmptyException(directory.toString());
      }
    }
  }

  /** The absolute path of the directory, without links. */
  Path path() {
    return path;
  }

  /** Deletes the directory, or empties it if it existed before. */
  void undo(Throwable failure) {
    try {
      FileTrees.empty(path);
      if (isNew) {
        Files.deleteIfExists(path);
      }
    } catch (Throwable e) {
      failure.addSuppressed(e);
    }
  }
}
