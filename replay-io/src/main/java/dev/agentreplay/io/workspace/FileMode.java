package dev.agentreplay.io.workspace;

import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/**
 * The type and the permissions of a file in the form of Git: six octal digits, three for the type
 * and three for the permissions of owner, group and others, such as {@code 100644}. The bits
 * set-user-ID, set-group-ID and sticky are not part of it.
 */
public final class FileMode {

  /** The mode of symbolic links. */
  public static final String LINK = "120777";

  private static final String FILE = "100";
  private static final String DIRECTORY = "040";
  private static final PosixFilePermission[] PERMISSIONS = PosixFilePermission.values();
  private static final int DIGITS = 3;

  private FileMode() {}

  /** The mode of a regular file with the given permissions. */
  public static String ofFile(Set<PosixFilePermission> permissions) {
    return FILE + digits(permissions);
  }

  /** The mode of a directory with the given permissions. */
  public static String ofDirectory(Set<PosixFilePermission> permissions) {
    return DIRECTORY + digits(permissions);
  }

  /** The mode of a regular file with the permissions of {@code stat}, whose other bits are lost. */
  public static String ofFile(int bits) {
    return FILE + digits(bits);
  }

  /** The mode of a directory with the permissions of {@code stat}, whose other bits are lost. */
  public static String ofDirectory(int bits) {
    return DIRECTORY + digits(bits);
  }

  /** Whether a text is the mode of a regular file. */
  public static boolean isFile(String mode) {
    return isMode(mode, FILE);
  }

  /** Whether a text is the mode of a directory. */
  public static boolean isDirectory(String mode) {
    return isMode(mode, DIRECTORY);
  }

  /**
   * The permissions of a mode.
   *
   * @throws IllegalArgumentException if the text is not the mode of a file or a directory
   */
  public static Set<PosixFilePermission> permissions(String mode) {
    if (!isFile(mode) && !isDirectory(mode)) {
      throw new IllegalArgumentException(
          "expected the mode of a file or directory, found \"%s\"".formatted(mode));
    }
    int bits = Integer.parseInt(mode.substring(DIGITS), 8);
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    for (int i = 0; i < PERMISSIONS.length; i++) {
      if ((bits & highest() >> i) != 0) {
        permissions.add(PERMISSIONS[i]);
      }
    }
    return permissions;
  }

  private static boolean isMode(String mode, String type) {
    return mode.length() == 2 * DIGITS
        && mode.startsWith(type)
        && mode.chars().allMatch(digit -> digit >= '0' && digit <= '7');
  }

  private static String digits(Set<PosixFilePermission> permissions) {
    int bits = 0;
    for (int i = 0; i < PERMISSIONS.length; i++) {
      bits |= permissions.contains(PERMISSIONS[i]) ? highest() >> i : 0;
    }
    return digits(bits);
  }

  private static String digits(int bits) {
    return ""
        + (char) ('0' + (bits >> 6 & 7))
        + (char) ('0' + (bits >> 3 & 7))
        + (char) ('0' + (bits & 7));
  }

  /** The bit of the first permission, that of the owner to read. */
  private static int highest() {
    return 1 << (PERMISSIONS.length - 1);
  }
}
