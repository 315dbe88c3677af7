package dev.agentreplay.publish.policy;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Decides whether a directory such as {@code /home} in a text is that of a file system, rather than
 * a directory of this name within a project or a web site, by the text before it.
 */
final class PathRoot {

  /** The maximum length of the text before a directory that is looked at. */
  private static final int MAX_PREFIX = 256;

  /** Directories in which the file system of a host, a drive or an image is mounted. */
  private static final Set<String> MOUNTS = Set.of(
      "mnt",
      "Volumes",
      "media",
      "host",
      "hostfs",
      "rootfs",
      "System",
      "cygdrive",
      "net",
      "nfs",
      "proc",
      "run");

  /** Directories that contain the file system of a container. */
  private static final Set<String> IMAGES = Set.of("merged", "rootfs", "chroot", "diff", "root");

  /** The end of the usual name of a volume of macOS, which has a space. */
  private static final String VOLUME = "HD";

  private static final Set<String> WEB = Set.of("http", "https", "ws", "wss");

  private static final Pattern ENCODED_SEPARATOR =
      Pattern.compile("%(?:2f|5c)", Pattern.CASE_INSENSITIVE);
  private static final Pattern ENCODED_COLON = Pattern.compile("%3a", Pattern.CASE_INSENSITIVE);

  /** A character that is escaped in JSON within text, such as the end of a line. */
  private static final Pattern ESCAPE =
      Pattern.compile(".*\\\\(?:[nrt]|u[0-9A-Fa-f]{4})(?=[/\\\\]|$)", Pattern.DOTALL);

  /** Another encoded character, which ends the text before the path. */
  private static final Pattern ENCODED = Pattern.compile(".*%[0-9A-Fa-f]{2}", Pattern.DOTALL);

  private PathRoot() {}

  /** Whether a character may be part of a path, or of the scheme of a URL. */
  static boolean isPathCharacter(char c) {
    return Character.isLetterOrDigit(c)
        || Character.isSurrogate(c)
        || "._-+@$~%:/\\".indexOf(c) >= 0;
  }

  /** Whether the directory after the separator at an index is that of a file system. */
  static boolean isRoot(String text, int separator) {
    Prefix prefix = prefix(text, separator);
    String path = prefix.path;
    if (path.isEmpty()) {
      return true;
    }
    if (path.startsWith("//") && WEB.contains(prefix.scheme)) {
      return false;
    }
    String[] names = path.replaceAll("^/+", "").split("/+", -1);
    if (path.startsWith("//")) {
      return names.length <= 2; // the host of a URL, or the host and share of a network path
    }
    if (path.startsWith("/")) {
      return names.length <= 1
          || (names.length <= 3 && MOUNTS.contains(names[0]))
          || IMAGES.contains(names[names.length - 1]);
    }
    return isSwitch(path) || isAboveProject(names) || path.equals(VOLUME);
  }

  /** Whether nothing is before a separator but the syntax around a path. */
  static boolean isOutermost(String text, int separator) {
    String path = prefix(text, separator).path;
    return path.isEmpty() || isSwitch(path);
  }

  /** Whether a relative prefix is that of a comparison (a/, b/) or an option (-I/usr, @/file). */
  private static boolean isSwitch(String path) {
    return (path.length() == 1 && path.charAt(0) != '.' && path.charAt(0) != '~')
        || (path.length() == 2 && path.startsWith("-"));
  }

  private static boolean isAboveProject(String[] names) {
    for (String name : names) {
      if (!name.equals("..")) {
        return false;
      }
    }
    return names.length >= 3;
  }

  /** Whether a separator is a slash, which JSON within text may escape by a backslash. */
  private static boolean isSlash(String text, int separator) {
    int at = separator;
    while (at < text.length() && text.charAt(at) == '\\') {
      at++;
    }
    return at < text.length() && (text.charAt(at) == '/' || text.charAt(at) == '%');
  }

  /** The part of a path before a directory, with single forms of separators, and its scheme. */
  private record Prefix(String scheme, String path) {}

  private static Prefix prefix(String text, int separator) {
    int start = separator;
    int limit = Math.max(0, separator - MAX_PREFIX);
    while (start > limit && isPathCharacter(text.charAt(start - 1))) {
      start--;
    }
    String raw = text.substring(start, separator);
    if (raw.indexOf('%') >= 0) {
      raw = ENCODED_SEPARATOR.matcher(raw).replaceAll("/");
      raw = ENCODED_COLON.matcher(raw).replaceAll(":");
      raw = ENCODED.matcher(raw).replaceFirst("");
    }
    if (raw.indexOf('\\') >= 0) {
      if (isSlash(text, separator)) {
        raw = ESCAPE.matcher(raw).replaceFirst("");
      }
      raw = raw.replace('\\', '/');
    }
    int colon = raw.lastIndexOf(':');
    String path = raw.substring(colon + 1);
    String before = colon < 0 ? "" : raw.substring(raw.lastIndexOf(':', colon - 1) + 1, colon);
    if (path.replace("/", "").isEmpty()) {
      path = "";
    }
    String scheme = before.substring(before.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    return new Prefix(scheme, path);
  }
}
