package dev.agentreplay.sandbox.workspace;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An open directory of a workspace. Entries are given by single names, never by paths, and links
 * are not followed.
 */
interface WorkspaceDirectory extends Closeable {

  /**
   * Opens the root of a workspace.
   *
   * @param root its real path
   * @param isSecure whether a descriptor is used where the platform has them
   */
  static WorkspaceDirectory open(Path root, boolean isSecure) throws IOException {
    SecureDirectory secure = isSecure ? SecureDirectory.open(root) : null;
    return secure == null ? new PlainDirectory(root) : secure;
  }

  /** Whether a process that replaces directories by links cannot lead an operation out of it. */
  boolean isRaceFree();

  /** The attributes of an entry itself; null if it does not exist. */
  @Nullable
  BasicFileAttributes attributes(String name) throws IOException;

  /** The permissions of an entry; null if the file system has none. */
  @Nullable
  Set<PosixFilePermission> permissions(String name) throws IOException;

  /** Sets the permissions of an entry, if the file system has permissions. */
  void setPermissions(String name, Set<PosixFilePermission> permissions) throws IOException;

  /** Opens a directory, or this one again if the name is "."; the caller closes it. */
  WorkspaceDirectory directory(String name) throws IOException;

  /** The names of all entries, in no order. */
  List<String> names() throws IOException;

  /** Opens a file for reading. */
  SeekableByteChannel read(String name) throws IOException;

  /** Creates a file that does not exist, and opens it for writing. */
  SeekableByteChannel create(String name) throws IOException;

  /** Creates a directory that does not exist. */
  void createDirectory(String name) throws IOException;

  /** Creates a symbolic link that does not exist. */
  void createLink(String name, Path target) throws IOException;

  void deleteFile(String name) throws IOException;

  /** Deletes a directory, which must be empty. */
  void deleteDirectory(String name) throws IOException;

  /** Renames an entry; a file that exists at the target is replaced. */
  void move(String name, WorkspaceDirectory target, String targetName) throws IOException;
}
