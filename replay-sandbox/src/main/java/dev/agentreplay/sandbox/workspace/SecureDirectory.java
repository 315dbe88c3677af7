package dev.agentreplay.sandbox.workspace;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A directory that is open as a descriptor, relative to which its entries are opened: it stays the
 * same directory when another process renames it or puts a link in its place.
 */
final class SecureDirectory implements WorkspaceDirectory {

  private static final Set<OpenOption> READ =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

  private static final Set<OpenOption> CREATE =
      Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, LinkOption.NOFOLLOW_LINKS);

  private final SecureDirectoryStream<Path> stream;
  private final Path root;

  /** The root; null if this is the root. */
  private final @Nullable SecureDirectory top;

  private SecureDirectory(
      SecureDirectoryStream<Path> stream, Path root, @Nullable SecureDirectory top) {
    this.stream = stream;
    this.root = root;
    this.top = top;
  }

  /** Opens the root of a workspace; null if the platform has no such descriptors. */
  @SuppressWarnings("StreamResourceLeak") // the directory keeps it open
  static @Nullable SecureDirectory open(Path root) throws IOException {
    DirectoryStream<Path> stream = Files.newDirectoryStream(root);
    if (stream instanceof SecureDirectoryStream<Path> secure) {
      return new SecureDirectory(secure, root, null);
    }
    stream.close();
    return null;
  }

  @Override
  public boolean isRaceFree() {
    return true;
  }

  private Path path(String name) {
    return root.getFileSystem().getPath(name);
  }

  @Override
  public @Nullable BasicFileAttributes attributes(String name) throws IOException {
    try {
      return stream
          .getFileAttributeView(path(name), BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
          .readAttributes();
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  @Override
  public @Nullable Set<PosixFilePermission> permissions(String name) throws IOException {
    PosixFileAttributeView view = permissionsOf(name);
    return view == null ? null : view.readAttributes().permissions();
  }

  @Override
  public void setPermissions(String name, Set<PosixFilePermission> permissions) throws IOException {
    PosixFileAttributeView view = permissionsOf(name);
    if (view != null) {
      view.setPermissions(permissions);
    }
  }

  private @Nullable PosixFileAttributeView permissionsOf(String name) {
    return stream.getFileAttributeView(
        path(name), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }

  @Override
  public SecureDirectory directory(String name) throws IOException {
    return new SecureDirectory(
        stream.newDirectoryStream(path(name), LinkOption.NOFOLLOW_LINKS),
        root,
        top == null ? this : top);
  }

  @Override
  public List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    // a stream can be read only once, and several threads may read this directory
    try (DirectoryStream<Path> entries =
        stream.newDirectoryStream(path("."), LinkOption.NOFOLLOW_LINKS)) {
      entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  @Override
  public SeekableByteChannel read(String name) throws IOException {
    return stream.newByteChannel(path(name), READ);
  }

  @Override
  public SeekableByteChannel create(String name) throws IOException {
    return stream.newByteChannel(path(name), CREATE);
  }

  @Override
  public void createDirectory(String name) throws IOException {
    create(name, Files::createDirectory);
  }

  @Override
  public void createLink(String name, Path target) throws IOException {
    create(name, path -> Files.createSymbolicLink(path, target));
  }

  /** The creation of an entry by its path. */
  private interface Creation {
    void at(Path path) throws IOException;
  }

  /**
   * Creates an entry of a type that the platform's class cannot create relative to a descriptor: it
   * is created in the root, to which no path inside the workspace leads, and moved to its place.
   */
  private void create(String name, Creation creation) throws IOException {
    if (top == null) {
      creation.at(root.resolve(name));
      return;
    }
    Path staged = root.resolve(Workspace.temporaryName());
    creation.at(staged);
    try {
      top.move(String.valueOf(staged.getFileName()), this, name);
    } catch (IOException | RuntimeException | Error e) {
      try {
        Files.delete(staged);
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  @Override
  public void deleteFile(String name) throws IOException {
    stream.deleteFile(path(name));
  }

  @Override
  public void deleteDirectory(String name) throws IOException {
    stream.deleteDirectory(path(name));
  }

  @Override
  public void move(String name, WorkspaceDirectory target, String targetName) throws IOException {
    stream.move(path(name), ((SecureDirectory) target).stream, path(targetName));
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
