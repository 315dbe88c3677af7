package dev.agentreplay.sandbox.snapshot;

import dev.agentreplay.io.workspace.FileMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;

/**
 * The state of a file as the file system knows it, without its content: if nothing of it changes,
 * the content has not changed either.
 *
 * @param type the type
 * @param bytes the number of bytes
 * @param modified the time of the last modification
 * @param changed the time of the last change of the content or of the state, which programs cannot
 *     set; the time of the last modification where the file system has none
 * @param inode the identity of the file in its file system; 0 where there is none
 * @param permissions the permissions and the bits set-user-ID, set-group-ID and sticky
 */
record FileStat(
    Type type, long bytes, Instant modified, Instant changed, long inode, int permissions) {

  enum Type {
    FILE("100"),
    DIRECTORY("040"),
    LINK("120"),
    PIPE("010"),
    SOCKET("140"),
    CHARACTER_DEVICE("020"),
    BLOCK_DEVICE("060"),
    OTHER("000");

    private final String digits;

    /**
     * Creates a type.
     *
     * @param digits the first three octal digits of its modes, as in {@code stat}
     */
    Type(String digits) {
      this.digits = digits;
    }

    private static Type of(int mode) {
      for (Type type : values()) {
        if (Integer.parseInt(type.digits, 8) << 9 == (mode & TYPE_MASK)) {
          return type;
        }
      }
      return OTHER;
    }
  }

  private static final String UNIX = "unix";
  private static final String ATTRIBUTES = "unix:mode,size,lastModifiedTime,ctime,ino";
  private static final int TYPE_MASK = 0170000;
  private static final int PERMISSIONS = 07777;
  private static final int SPECIAL_BITS = 07000;
  private static final int DEFAULT_FILE = 0644;
  private static final int DEFAULT_DIRECTORY = 0755;

  /** Reads the state of a file; a link is not followed. */
  static FileStat of(Path file) throws IOException {
    return file.getFileSystem().supportedFileAttributeViews().contains(UNIX)
        ? ofUnix(Files.readAttributes(file, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS))
        : ofBasic(Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
  }

  private static FileStat ofUnix(Map<String, Object> attributes) {
    int mode = number(attributes, "mode").intValue();
    return new FileStat(
        Type.of(mode),
        number(attributes, "size").longValue(),
        time(attributes, "lastModifiedTime"),
        time(attributes, "ctime"),
        number(attributes, "ino").longValue(),
        mode & PERMISSIONS);
  }

  private static FileStat ofBasic(BasicFileAttributes attributes) {
    Type type = attributes.isRegularFile()
        ? Type.FILE
        : attributes.isDirectory()
            ? Type.DIRECTORY
            : attributes.isSymbolicLink() ? Type.LINK : Type.OTHER;
    Instant modified = attributes.lastModifiedTime().toInstant();
    int permissions = type == Type.DIRECTORY ? DEFAULT_DIRECTORY : DEFAULT_FILE;
    return new FileStat(type, attributes.size(), modified, modified, 0, permissions);
  }

  /** The mode as a manifest states it, or that of a file that is not in a manifest. */
  String mode() {
    return type.digits + FileMode.ofFile(permissions).substring(type.digits.length());
  }

  /** Whether the file has bits that a manifest does not state. */
  boolean hasSpecialBits() {
    return (permissions & SPECIAL_BITS) != 0;
  }

  private static Number number(Map<String, Object> attributes, String name) {
    return (Number) Objects.requireNonNull(attributes.get(name));
  }

  private static Instant time(Map<String, Object> attributes, String name) {
    return ((FileTime) Objects.requireNonNull(attributes.get(name))).toInstant();
  }
}
