package dev.agentreplay.convert.pack;

import dev.agentreplay.io.file.FileTree;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.OwnerOnly;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.io.session.Session;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The target of unpacking. Files are first written to a temporary directory: next to a new target,
 * or in an existing empty one, which remains the same directory. Closing without {@link #commit}
 * leaves nothing.
 */
final class UnpackTarget implements Closeable {

  private final Path target;
  private final boolean isNew;
  private final Path temporary;
  private final List<Path> moved = new ArrayList<>();

  private UnpackTarget(Path target, boolean isNew) {
    this.target = target;
    this.isNew = isNew;
    this.temporary =
        isNew ? WholeFile.temporaryBeside(target) : target.resolve(WholeFile.temporaryName());
  }

  /**
   * Returns a target that is free; nothing is written yet.
   *
   * @throws FileAlreadyExistsException if the path exists and is not an empty directory
   * @throws NoSuchFileException if the parent directory does not exist
   */
  static UnpackTarget of(Path directory) throws IOException {
    if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      requireEmpty(directory);
      return new UnpackTarget(directory.toRealPath(), false);
    }
    // the platform resolves ".." after a link
    Path parent = directory.toAbsolutePath().getParent();
    if (parent == null || !Files.isDirectory(parent)) {
      throw new NoSuchFileException(String.valueOf(parent), null, "no such directory");
    }
    return new UnpackTarget(parent.toRealPath().resolve(directory.getFileName()), true);
  }

  /** Creates the temporary directory for the files. */
  Path create() throws IOException {
    OwnerOnly.createDirectory(temporary);
    return temporary;
  }

  /**
   * Moves the files into place. The log is moved last: the session appears only when it is
   * complete.
   */
  void commit() throws IOException {
    if (isNew) {
      Files.move(temporary, target);
      LocalDisk.INSTANCE.forceParent(target);
      return;
    }
    for (Path entry : entriesToMove()) {
      Path place = target.resolve(entry.getFileName());
      Files.move(entry, place);
      moved.add(place);
    }
    moved.clear();
    LocalDisk.INSTANCE.forceDirectory(target);
  }

  @Override
  public void close() throws IOException {
    for (Path place : moved) {
      FileTree.delete(place);
    }
    FileTree.delete(temporary);
  }

  private List<Path> entriesToMove() throws IOException {
    Comparator<Path> logLast = Comparator.comparing(
        path -> path.endsWith(Session.LOG_NAME) || path.endsWith(Session.COMPRESSED_LOG_NAME));
    try (Stream<Path> entries = Files.list(temporary)) {
      return entries.sorted(logLast).toList();
    }
  }

  private static void requireEmpty(Path path) throws IOException {
    boolean empty = false;
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      try (Stream<Path> inside = Files.list(path)) {
        empty = inside.findAny().isEmpty();
      }
    }
    if (!empty) {
      throw new FileAlreadyExistsException(path.toString(), null, "not an empty directory");
    }
  }
}
