package dev.agentreplay.sandbox.workspace;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The files of a workspace, for tools that run inside the JVM: no path leads out of its directory.
 *
 * <pre>{@code
 * try (Workspace workspace = Workspace.open(directory)) {
 *   String source = workspace.readString("src/auth.rs");
 *   workspace.writeString("src/auth.rs", source.replace("true", "false"));
 * }
 * }</pre>
 *
 * <p>Paths are relative, with {@code /} between names; {@code ""} and {@code "."} are the directory
 * itself. A {@link RefusedPathException} names a path that is absolute, has {@code ..}, an empty
 * name or a character that names cannot have; that leads over or to a symbolic link, even one that
 * leads to the workspace again; that is spelled differently from an existing entry, in case or
 * Unicode normalization, on a file system that does not distinguish them; and on Windows one with
 * the name of a device or of a stream of a file. Files other than regular ones and directories are
 * refused as well.
 *
 * <p>If {@link #isRaceFree} is true, directories are open as descriptors, and each name is opened
 * relative to the descriptor of its directory: another thread or process that replaces a directory
 * by a link cannot lead a read or a write out of the workspace. Otherwise paths are checked before
 * each operation and after a file is opened, which finds a link that exists then, but not one that
 * is there only in between. In both cases the path of the workspace itself is trusted; and a
 * directory that another process moves out of the workspace while it is in use is still written to.
 *
 * <p>A file is written next to its place and moved there, so that a hard link to the file that it
 * replaces keeps its content; until then the directory has an entry named {@code .replay-….tmp}. In
 * a replay the workspace is the restored copy of the snapshot, so that tools read what the recorded
 * ones did. Files are the only thing that this class restricts: <strong>tools inside the JVM have
 * its network, its environment, its processes, and all files by other classes</strong>. Only tools
 * that run as programs in a {@link dev.agentreplay.sandbox.Sandbox} are cut off from these.
 *
 * <p>Safe for use by several threads. Streams stay open when the workspace is closed.
 */
public final class Workspace implements Closeable {

  private static final int RANDOM_BYTES = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final WorkspaceTree tree;
  private final ReentrantLock creation = new ReentrantLock();

  private Workspace(WorkspaceTree tree) {
    this.tree = tree;
  }

  /**
   * Opens a workspace.
   *
   * @param root an existing directory; the path is trusted and may have links
   * @throws NotDirectoryException if it is not a directory
   */
  public static Workspace open(Path root) throws IOException {
    return open(root, true, File.separatorChar == '\\');
  }

  /** Opens a workspace with descriptors only if requested, and with the names of a platform. */
  static Workspace open(Path root, boolean isSecure, boolean isWindows) throws IOException {
    return new Workspace(WorkspaceTree.open(root, isSecure, isWindows));
  }

  /**
   * Whether another thread or process that changes the workspace at the same time cannot lead an
   * operation out of it.
   */
  public boolean isRaceFree() {
    return tree.isRaceFree();
  }

  /** A name that no tool is expected to use. */
  static String temporaryName() {
    byte[] random = new byte[RANDOM_BYTES];
    RANDOM.nextBytes(random);
    return ".replay-" + HexFormat.of().formatHex(random) + ".tmp";
  }

  /** The content of a file. */
  public byte[] read(String path) throws IOException {
    try (InputStream in = newInputStream(path)) {
      return in.readAllBytes();
    }
  }

  /**
   * The content of a file as UTF-8 text.
   *
   * @throws java.nio.charset.CharacterCodingException if it is not UTF-8
   */
  public String readString(String path) throws IOException {
    return StandardCharsets.UTF_8
        .newDecoder()
        .decode(ByteBuffer.wrap(read(path)))
        .toString();
  }

  /** Opens a file for reading; the caller closes the stream. */
  public InputStream newInputStream(String path) throws IOException {
    WorkspacePath file = tree.parse(path);
    try (WorkspaceDirectory directory = tree.parent(file)) {
      BasicFileAttributes attributes = WorkspaceTree.existing(directory, file, file.name());
      if (!attributes.isRegularFile()) {
        throw WorkspaceTree.notA(file, "file");
      }
      return Channels.newInputStream(directory.read(file.name()));
    }
  }

  /** Writes a file, which is created or replaced as a whole; its directory must exist. */
  public void write(String path, byte[] content) throws IOException {
    try (WorkspaceOutput out = output(tree.parse(path))) {
      out.write(content);
    }
  }

  /** Writes a file as {@link #write} does, with the UTF-8 form of a text. */
  public void writeString(String path, String content) throws IOException {
    ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(content));
    byte[] array = new byte[bytes.remaining()];
    bytes.get(array);
    write(path, array);
  }

  /**
   * Opens a file for writing; the caller closes the stream. The file is created or replaced when
   * the stream is closed, unless a write failed.
   */
  public OutputStream newOutputStream(String path) throws IOException {
    return output(tree.parse(path));
  }

  private WorkspaceOutput output(WorkspacePath file) throws IOException {
    WorkspaceDirectory directory = tree.parent(file);
    try {
      BasicFileAttributes replaced = WorkspaceTree.find(directory, file, file.name());
      Set<PosixFilePermission> permissions = null;
      if (replaced != null) {
        if (!replaced.isRegularFile()) {
          throw WorkspaceTree.notA(file, "file");
        }
        permissions = directory.permissions(file.name());
      }
      return WorkspaceOutput.open(directory, file.name(), permissions);
    } catch (IOException | RuntimeException | Error e) {
      close(directory, e);
      throw e;
    }
  }

  /**
   * Deletes a file or an empty directory.
   *
   * @throws NoSuchFileException if it does not exist
   * @throws java.nio.file.DirectoryNotEmptyException if it is a directory with entries
   */
  public void delete(String path) throws IOException {
    WorkspacePath entry = tree.parse(path);
    try (WorkspaceDirectory directory = tree.parent(entry)) {
      if (WorkspaceTree.existing(directory, entry, entry.name()).isDirectory()) {
        directory.deleteDirectory(entry.name());
      } else {
        directory.deleteFile(entry.name());
      }
    }
  }

  /**
   * Moves a file or a directory; its new directory must exist.
   *
   * @throws FileAlreadyExistsException if there is an entry at the new path
   */
  public void move(String from, String to) throws IOException {
    WorkspacePath source = tree.parse(from);
    WorkspacePath target = tree.parse(to);
    try (WorkspaceDirectory directory = tree.parent(source);
        WorkspaceDirectory newDirectory = tree.parent(target)) {
      WorkspaceTree.existing(directory, source, source.name());
      if (WorkspaceTree.find(newDirectory, target, target.name()) != null) {
        throw new FileAlreadyExistsException(to);
      }
      directory.move(source.name(), newDirectory, target.name());
    }
  }

  /** The names of the entries of a directory in order, also of those that cannot be opened. */
  public List<String> list(String path) throws IOException {
    WorkspacePath entry = tree.parse(path);
    try (WorkspaceDirectory directory = tree.directory(entry, entry.names())) {
      return directory.names().stream().sorted().toList();
    }
  }

  /** Whether there is a file or a directory. */
  public boolean exists(String path) throws IOException {
    return attributes(tree.parse(path)) != Attributes.MISSING;
  }

  /** Whether there is a directory. */
  public boolean isDirectory(String path) throws IOException {
    return attributes(tree.parse(path)) == Attributes.DIRECTORY;
  }

  private enum Attributes {
    MISSING,
    FILE,
    DIRECTORY
  }

  private Attributes attributes(WorkspacePath entry) throws IOException {
    if (entry.isRoot()) {
      return Attributes.DIRECTORY;
    }
    try (WorkspaceDirectory directory = tree.parent(entry)) {
      BasicFileAttributes found = WorkspaceTree.find(directory, entry, entry.name());
      return found == null
          ? Attributes.MISSING
          : found.isDirectory() ? Attributes.DIRECTORY : Attributes.FILE;
    } catch (NoSuchFileException | NotDirectoryException e) {
      return Attributes.MISSING;
    }
  }

  /** Creates a directory and those on the way to it, unless they exist. */
  public void createDirectories(String path) throws IOException {
    WorkspacePath entry = tree.parse(path);
    WorkspaceDirectory at = tree.open();
    try {
      for (String name : entry.names()) {
        if (WorkspaceTree.find(at, entry, name) == null) {
          create(at, name);
        }
        at = WorkspaceTree.child(at, entry, name);
      }
    } finally {
      at.close();
    }
  }

  /** Creates a directory, unless a different thread has created it. */
  private void create(WorkspaceDirectory directory, String name) throws IOException {
    creation.lock();
    try {
      // a directory that is moved to its place replaces an empty one, which may be in use
      if (directory.attributes(name) == null) {
        directory.createDirectory(name);
      }
    } catch (FileAlreadyExistsException e) {
      // a different process has created it; its type is checked when it is opened
    } finally {
      creation.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    tree.close();
  }

  private static void close(WorkspaceDirectory directory, Throwable failure) {
    try {
      directory.close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }
}
