package dev.agentreplay.convert.shown;

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
 * The files of a session that was made from one file for the time in which it is read, as a file
 * system that can only be read. Its paths name the source as if it were a directory, as in
 * {@code fix-auth.tar.gz/REPLAY.jsonl}, so that each message that names a file names the one that
 * the user knows; the files themselves are in a temporary directory, which is deleted when the file
 * system is closed. Safe for use by several threads.
 */
public final class ShownFileSystem extends FileSystem {

  private final Path source;
  private final Path root;
  private final TemporaryDirectory files;
  private final ShownFileProvider provider = new ShownFileProvider(this);

  /**
   * Creates a file system.
   *
   * @param source the file or directory that the session was made from
   * @param root the directory of the session
   * @param files the temporary directory that has it, which is closed with the file system
   */
  public ShownFileSystem(Path source, Path root, TemporaryDirectory files) {
    this.source = source;
    this.root = root;
    this.files = files;
  }

  /** The directory of the session. */
  public Path root() {
    return new ShownPath(this, source);
  }

  /**
   * The temporary file of a path.
   *
   * @throws NoSuchFileException if the path leads out of the source
   * @throws ClosedFileSystemException if the file system is closed
   */
  Path temporary(ShownPath path) throws NoSuchFileException {
    if (!isOpen()) {
      throw new ClosedFileSystemException();
    }
    Path top = source.toAbsolutePath().normalize();
    Path file = path.shown().toAbsolutePath().normalize();
    if (!file.startsWith(top)) {
      throw new NoSuchFileException(path.toString(), null, "not a file of " + source);
    }
    return root.resolve(top.relativize(file));
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
    return source.getFileSystem().getSeparator();
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
    return new ShownPath(this, source.getFileSystem().getPath(first, more));
  }

  @Override
  public PathMatcher getPathMatcher(String pattern) {
    PathMatcher matcher = source.getFileSystem().getPathMatcher(pattern);
    return path -> path instanceof ShownPath other && matcher.matches(other.shown());
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
