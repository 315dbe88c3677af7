package dev.agentreplay.io.file;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates files and directories that only their owner can access: with mode 0600 and 0700, from
 * which the umask may remove more permissions. On a file system without POSIX permissions they get
 * the default permissions.
 */
public final class OwnerOnly {

  private static final FileAttribute<?>[] NONE = {};
  private static final FileAttribute<?>[] FILE = mode("rw-------");
  private static final FileAttribute<?>[] DIRECTORY = mode("rwx------");

  private static final Set<PosixFilePermission> OF_GROUP = EnumSet.of(
      PosixFilePermission.GROUP_READ,
      PosixFilePermission.GROUP_WRITE,
      PosixFilePermission.GROUP_EXECUTE);

  private static final Set<PosixFilePermission> OF_OWNER = EnumSet.of(
      PosixFilePermission.OWNER_READ,
      PosixFilePermission.OWNER_WRITE,
      PosixFilePermission.OWNER_EXECUTE);

  private OwnerOnly() {}

  /**
   * Creates an empty file.
   *
   * @throws FileAlreadyExistsException if it exists
   */
  public static void createFile(Path file) throws IOException {
    Files.createFile(file, supported(file, FILE));
  }

  /**
   * Creates a file to write to.
   *
   * @throws FileAlreadyExistsException if it exists
   */
  public static OutputStream newFile(Path file) throws IOException {
    createFile(file);
    return Files.newOutputStream(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Creates a directory.
   *
   * @throws FileAlreadyExistsException if it exists
   */
  public static void createDirectory(Path directory) throws IOException {
    Files.createDirectory(directory, supported(directory, DIRECTORY));
  }

  /**
   * Creates a directory in an existing one, unless another thread or process has created it
   * already.
   */
  static void createDirectoryIfAbsent(Path directory) throws IOException {
    Files.createDirectories(directory, supported(directory, DIRECTORY));
  }

  /**
   * Gives a new file the permissions of the regular file that it will replace, if there is one: its
   * owner may have shared it. Group permissions are copied only if both files have the same group.
   * If the permissions cannot be set, the new file stays accessible to its owner only.
   */
  static void copyPermissions(Path replaced, Path file) {
    try {
      PosixFileAttributes from = attributes(replaced);
      PosixFileAttributes to = attributes(file);
      if (from == null || to == null || !from.isRegularFile()) {
        return;
      }
      Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
      permissions.addAll(from.permissions());
      if (!from.group().equals(to.group())) {
        permissions.removeAll(OF_GROUP);
      }
      if (!permissions.equals(to.permissions())) {
        Files.setPosixFilePermissions(file, permissions);
      }
    } catch (IOException | UnsupportedOperationException e) {
      return; // there is no such file, or the file system has no permissions to set
    }
  }

  /**
   * The permissions of a file to which its group or other users have access, as {@code ls} shows
   * them; null if only its owner has access, or the file system has no POSIX permissions.
   */
  public static @Nullable String sharedPermissions(Path file) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view == null) {
      return null;
    }
    Set<PosixFilePermission> permissions = view.readAttributes().permissions();
    return OF_OWNER.containsAll(permissions) ? null : PosixFilePermissions.toString(permissions);
  }

  private static @Nullable PosixFileAttributes attributes(Path file) throws IOException {
    PosixFileAttributeView view =
        Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    return view == null ? null : view.readAttributes();
  }

  private static FileAttribute<?>[] supported(Path file, FileAttribute<?>[] mode) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix") ? mode : NONE;
  }

  private static FileAttribute<?>[] mode(String permissions) {
    return new FileAttribute<?>[] {
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
    };
  }
}
