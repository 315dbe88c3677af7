package dev.agentreplay.sandbox.workspace;

import dev.agentreplay.sandbox.workspace.RefusedPathException.Reason;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A directory that is opened by its path for each operation. Links on the way to it are found
 * before each operation, and after a file was opened; one that another process puts there in
 * between is not.
 */
final class PlainDirectory implements WorkspaceDirectory {

  private final Path path;

  /**
   * A directory.
   *
   * @param path its real path
   */
  PlainDirectory(Path path) {
    this.path = path;
  }

  @Override
  public boolean isRaceFree() {
    return false;
  }

  /** The path of an entry, in a directory that is still at its place. */
  private Path entry(String name) throws IOException {
    check();
    return path.resolve(name);
  }

  private void check() throws IOException {
    if (!path.toRealPath().equals(path)) {
      throw new RefusedPathException(
          path.toString(), Reason.LINK, "a directory was replaced by a link");
    }
  }

  @Override
  public @Nullable BasicFileAttributes attributes(String name) throws IOException {
    try {
      return Files.readAttributes(
          entry(name), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
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

  private @Nullable PosixFileAttributeView permissionsOf(String name) throws IOException {
    return Files.getFileAttributeView(
        entry(name), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }

  @Override
  public PlainDirectory directory(String name) throws IOException {
    PlainDirectory directory = new PlainDirectory(name.equals(".") ? path : entry(name));
    directory.check();
    return directory;
  }

  @Override
  public List<String> names() throws IOException {
    check();
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
      entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    check();
    return names;
  }

  @Override
  public SeekableByteChannel read(String name) throws IOException {
    return checked(Files.newByteChannel(
        entry(name), Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)));
  }

  @Override
  public SeekableByteChannel create(String name) throws IOException {
    return checked(Files.newByteChannel(
        entry(name), Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)));
  }

  /** A channel, which is closed if a link was put on the way to its file. */
  private SeekableByteChannel checked(SeekableByteChannel channel) throws IOException {
    try {
      check();
      return channel;
    } catch (IOException | RuntimeException | Error e) {
      try (channel) {
        throw e;
      }
    }
  }

  @Override
  public void createDirectory(String name) throws IOException {
    Files.createDirectory(entry(name));
  }

  @Override
  public void createLink(String name, Path target) throws IOException {
    Files.createSymbolicLink(entry(name), target);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    Files.delete(entry(name));
  }

  @Override
  public void deleteDirectory(String name) throws IOException {
    Files.delete(entry(name));
  }

  @Override
  public void move(String name, WorkspaceDirectory target, String targetName) throws IOException {
    Path to = ((PlainDirectory) target).entry(targetName);
    Files.move(entry(name), to, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void close() {
    // holds nothing open
  }
}
