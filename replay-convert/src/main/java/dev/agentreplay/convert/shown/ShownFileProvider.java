package dev.agentreplay.convert.shown;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.ReadOnlyFileSystemException;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the files of a {@link ShownFileSystem}; every method that would write throws a
 * {@link ReadOnlyFileSystemException}.
 */
final class ShownFileProvider extends FileSystemProvider {

  static final String SCHEME = "replay-shown";

  private static final Set<? extends OpenOption> READING =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

  private final ShownFileSystem files;

  ShownFileProvider(ShownFileSystem files) {
    this.files = files;
  }

  /** Reads a temporary file. */
  @FunctionalInterface
  private interface Action<T> {
    T run(Path temporary) throws IOException;
  }

  /** Reads the temporary file of a path; failures name the path instead. */
  private static <T> T read(Path path, Action<T> action) throws IOException {
    if (!(path instanceof ShownPath shown)) {
      throw new ProviderMismatchException();
    }
    Path temporary = shown.temporary();
    try {
      return action.run(temporary);
    } catch (NoSuchFileException e) {
      throw (NoSuchFileException)
          new NoSuchFileException(path.toString(), null, e.getReason()).initCause(e);
    } catch (FileSystemException e) {
      String reason = e.getReason() == null ? e.getClass().getSimpleName() : e.getReason();
      throw (FileSystemException)
          new FileSystemException(path.toString(), null, reason).initCause(e);
    }
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> settings) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Path getPath(URI uri) {
    throw new UnsupportedOperationException();
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    requireReading(options);
    return read(path, file -> Files.newByteChannel(file, options));
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    requireReading(options);
    return read(path, file -> FileChannel.open(file, options));
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path directory, DirectoryStream.Filter<? super Path> filter) throws IOException {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> temporary = read(directory, Files::newDirectoryStream)) {
      for (Path entry : temporary) {
        Path path = directory.resolve(entry.getFileName().toString());
        if (filter.accept(path)) {
          entries.add(path);
        }
      }
    }
    return new DirectoryStream<>() {
      @Override
      public Iterator<Path> iterator() {
        return entries.iterator();
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void createDirectory(Path directory, FileAttribute<?>... attributes) {
    throw new ReadOnlyFileSystemException();
  }

  @Override
  public void delete(Path path) {
    throw new ReadOnlyFileSystemException();
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) {
    throw new ReadOnlyFileSystemException();
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) {
    throw new ReadOnlyFileSystemException();
  }

  @Override
  public boolean isSameFile(Path path, Path other) throws IOException {
    return other.getFileSystem() == files && path.toRealPath().equals(other.toRealPath());
  }

  @Override
  public boolean isHidden(Path path) throws IOException {
    return read(path, Files::isHidden);
  }

  @Override
  public FileStore getFileStore(Path path) throws IOException {
    return read(path, Files::getFileStore);
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    for (AccessMode mode : modes) {
      if (mode == AccessMode.WRITE) {
        throw new AccessDeniedException(path.toString(), null, "the session is only read");
      }
    }
    read(path, file -> {
      file.getFileSystem().provider().checkAccess(file, modes);
      return file;
    });
  }

  @Override
  public <V extends FileAttributeView> @Nullable V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    return null; // views are for changing attributes
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    return read(path, file -> Files.readAttributes(file, type, options));
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String names, LinkOption... options)
      throws IOException {
    return read(path, file -> Files.readAttributes(file, names, options));
  }

  @Override
  public void setAttribute(Path path, String name, Object value, LinkOption... options) {
    throw new ReadOnlyFileSystemException();
  }

  private static void requireReading(Set<? extends OpenOption> options) {
    if (!READING.containsAll(options)) {
      throw new ReadOnlyFileSystemException();
    }
  }
}
