package dev.agentreplay.convert.pack;

import dev.agentreplay.io.file.TemporaryDirectory;
import java.io.IOException;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Set;

/**
 * The files of a packed session as a file system that can only be read. Its paths name the packed
 * file as if it were a directory, as in {@code fix-auth.tar.gz/REPLAY.jsonl}, so that each message
 * that names a file names this one; the files themselves are in a temporary directory, which is
 * deleted when the file system is closed. Safe for use by several threads.
 */
final class PackedFileSystem extends FileSystem {

  private final Path packed;
  private final TemporaryDirectory files;
  private final PackedFileProvider provider = new PackedFileProvider(this);

  /**
   * Creates a file system.
   *
   * @param packed the packed file
   * @param files its files, which are closed with the file system
   */
  PackedFileSystem(Path packed, TemporaryDirectory files) {
    this.packed = packed;
    this.files = files;
  }

  /** The directory of the session. */
  Path root() {
    return new PackedPath(this, packed);
  }

  /**
   * The temporary file of a path.
   *
   * @throws NoSuchFileException if the path leads out of the packed file
   * @throws ClosedFileSystemException if the file system is closed
   */
  Path unpacked(PackedPath path) throws NoSuchFileException {
    if (!isOpen()) {
      throw new ClosedFileSystemException();
    }
    Path root = packed.toAbsolutePath().normalize();
    Path file = path.shown().toAbsolutePath().normalize();
    if (!file.startsWith(root)) {
      throw new NoSuchFileException(path.toString(), null, "not a file of " + packed);
    }
    return files.path().resolve(root.relativize(file));
  }

  @Override
  public FileSystemProvider provider() {
    return provider;
  }

  @Override
  public void close() throws IOException {
    files.close();
  }

  @Override
  public boolean isOpen() {
    return files.isOpen();
  }

  @Override
  public boolean isReadOnly() {
    return true;
  }

  @Override
  public String getSeparator() {
    return packed.getFileSystem().getSeparator();
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    return List.of(root());
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    return List.of();
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return Set.of("basic");
  }

  @Override
  public Path getPath(String first, String... more) {
    return new PackedPath(this, packed.getFileSystem().getPath(first, more));
  }

  @Override
  public PathMatcher getPathMatcher(String pattern) {
    PathMatcher matcher = packed.getFileSystem().getPathMatcher(pattern);
    return path -> path instanceof PackedPath other && matcher.matches(other.shown());
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    throw new UnsupportedOperationException();
  }

  @Override
  public WatchService newWatchService() {
    throw new UnsupportedOperationException();
  }
}
