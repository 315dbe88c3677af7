package dev.agentreplay.sandbox.replay;

import dev.agentreplay.engine.replay.ReplayRefusedException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Copies a directory: files with their permissions and times, and symbolic links as such. Sockets,
 * pipes and devices are left out.
 */
final class WorkspaceCopy extends SimpleFileVisitor<Path> {

  private final Path from;
  private final Path to;
  private final long maxBytes;
  private final List<String> leftOut = new ArrayList<>();

  /** The attributes of the directories that are being copied; their times are set at the end. */
  private final Deque<BasicFileAttributes> directories = new ArrayDeque<>();

  private long bytes;

  private WorkspaceCopy(Path from, Path to, long maxBytes) {
    this.from = from;
    this.to = to;
    this.maxBytes = maxBytes;
  }

  /**
   * Copies a directory into a new one, whose parent exists.
   *
   * @param maxBytes the maximum number of bytes
   * @return the paths that were left out
   * @throws ReplayRefusedException if the files have more bytes; the copy is incomplete then
   * @throws IOException if a file cannot be copied; the copy is incomplete then
   */
  static List<String> copy(Path from, Path to, long maxBytes) throws IOException {
    Path real = from.toRealPath();
    Path parent = to.toAbsolutePath().getParent();
    Path target = parent == null ? to : parent.toRealPath().resolve(to.getFileName());
    WorkspaceCopy copy = new WorkspaceCopy(real, target, maxBytes);
    Files.walkFileTree(real, copy);
    return copy.leftOut;
  }

  private Path target(Path path) {
    return to.resolve(from.relativize(path).toString());
  }

  @Override
  public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
      throws IOException {
    if (directory.equals(to)) {
      return FileVisitResult.SKIP_SUBTREE; // a temporary directory inside of the workspace
    }
    Files.createDirectory(target(directory));
    directories.push(attributes);
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
    if (attributes.isOther()) {
      leftOut.add(from.relativize(file).toString());
      return FileVisitResult.CONTINUE;
    }
    bytes += attributes.isRegularFile() ? attributes.size() : 0;
    if (bytes > maxBytes) {
      throw new ReplayRefusedException(
          ReplayRefusedException.Reason.WORKSPACE_LIMIT,
          "%s: the workspace has more than the limit of %,d bytes".formatted(from, maxBytes));
    }
    Files.copy(file, target(file), StandardCopyOption.COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
      throws IOException {
    if (failure != null) {
      throw failure;
    }
    Path copy = target(directory);
    PosixFileAttributeView source =
        Files.getFileAttributeView(directory, PosixFileAttributeView.class);
    PosixFileAttributeView permissions =
        Files.getFileAttributeView(copy, PosixFileAttributeView.class);
    if (source != null && permissions != null) {
      permissions.setPermissions(source.readAttributes().permissions());
    }
    Files.getFileAttributeView(copy, BasicFileAttributeView.class)
        .setTimes(directories.pop().lastModifiedTime(), null, null);
    return FileVisitResult.CONTINUE;
  }
}
