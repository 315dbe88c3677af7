package dev.agentreplay.publish;

import dev.agentreplay.io.file.FileTree;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Names;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a published session. It is written next to its target under a temporary name,
 * and appears as a whole; closing without {@link #commit} leaves nothing.
 */
final class PublicationFiles implements Closeable {

  private static final Set<String> NAMES =
      Set.of(Session.LOG_NAME, Session.RECEIPT_NAME, Session.PUBLIC_CHECKPOINT_NAME);

  private final Path target;
  private final Path temporary;
  private boolean isCommitted;

  private PublicationFiles(Path target, Path temporary) {
    this.target = target;
    this.temporary = temporary;
  }

  /**
   * Begins a directory.
   *
   * @throws FileAlreadyExistsException if the target exists, unless it is an empty directory, or a
   *     published session without other files that is to be replaced
   */
  static PublicationFiles begin(Session session, Path target, PublishOptions options)
      throws IOException {
    Path path = target.toAbsolutePath().normalize();
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !isEmpty(path)) {
      boolean isSource = session.log().toAbsolutePath().normalize().startsWith(path);
      if (isSource || !options.overwrite() || !isPublication(path, options.attachments())) {
        throw new FileAlreadyExistsException(
            target.toString(),
            null,
            options.overwrite()
                ? "only a published session without other files is replaced"
                : null);
      }
    }
    Path parent = path.getParent();
    if (parent == null) {
      throw new FileAlreadyExistsException(target.toString());
    }
    LocalDisk.createDirectories(parent);
    Path temporary = path.resolveSibling(WholeFile.temporaryName());
    LocalDisk.createDirectories(temporary);
    return new PublicationFiles(path, temporary);
  }

  private static boolean isEmpty(Path path) throws IOException {
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (Stream<Path> entries = Files.list(path)) {
      return entries.findAny().isEmpty();
    }
  }

  /** Whether a directory has a published session, and no other files. */
  private static boolean isPublication(Path path, List<String> attachments) throws IOException {
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (Stream<Path> entries = Files.list(path)) {
      boolean isOther = entries.anyMatch(entry -> {
        String name = String.valueOf(entry.getFileName());
        return !Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)
            || !(NAMES.contains(name) || attachments.contains(name));
      });
      if (isOther) {
        return false;
      }
    }
    try {
      ReplayLine first = Session.open(path).firstLine();
      return first != null && first.json().has(Names.PUBLISHED);
    } catch (IOException unreadable) {
      return false;
    }
  }

  /** The path of a file while the directory is written. */
  Path file(String name) {
    return temporary.resolve(name);
  }

  /** The directory while it is written. */
  Path directory() {
    return temporary;
  }

  /** Moves the directory to its target. */
  void commit() throws IOException {
    LocalDisk.INSTANCE.forceParent(file(Session.LOG_NAME));
    Path old = null;
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      old = target.resolveSibling(WholeFile.temporaryName());
      Files.move(target, old);
    }
    try {
      Files.move(temporary, target);
    } catch (IOException e) {
      restore(old, e);
      throw e;
    }
    isCommitted = true;
    LocalDisk.INSTANCE.forceParent(target);
    if (old != null) {
      FileTree.delete(old);
    }
  }

  private void restore(@Nullable Path old, IOException failure) {
    if (old != null) {
      try {
        Files.move(old, target);
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (!isCommitted) {
      FileTree.delete(temporary);
    }
  }
}
