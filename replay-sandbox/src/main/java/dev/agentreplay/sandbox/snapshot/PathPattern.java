package dev.agentreplay.sandbox.snapshot;

import java.util.ArrayList;
import java.util.List;

/**
 * A pattern of paths in the form of {@code .gitignore}: {@code *}, {@code ?} and {@code [a-z]}
 * match within a name, {@code **} matches any number of directories, a pattern with a slash before
 * its end is relative to the root, others match a name at any depth, a slash at the end matches
 * directories only, {@code !} negates, a backslash takes the next character as it is, and blanks at
 * the end count only after a backslash. Sets have no classes such as {@code [:alpha:]}, and there
 * are no comments: {@code #} is a character. A pattern that Git never matches, such as {@code [a},
 * is refused.
 */
final class PathPattern {

  private static final String ANY_DEPTH = "**";

  private final boolean isNegated;
  private final boolean isDirectory;
  private final boolean isAnchored;
  private final List<NamePattern> names;

  private PathPattern(
      boolean isNegated, boolean isDirectory, boolean isAnchored, List<NamePattern> names) {
    this.isNegated = isNegated;
    this.isDirectory = isDirectory;
    this.isAnchored = isAnchored;
    this.names = names;
  }

  /**
   * Parses a pattern.
   *
   * @throws IllegalArgumentException if it is empty, or has an empty name, a NUL character, a set
   *     without an end or a backslash at the end
   */
  static PathPattern parse(String pattern) {
    String text = withoutBlanks(pattern);
    boolean isNegated = text.startsWith("!");
    text = isNegated ? text.substring(1) : text;
    boolean isDirectory = text.endsWith("/") && !text.endsWith("\\/");
    text = isDirectory ? text.substring(0, text.length() - 1) : text;
    boolean isAnchored = text.indexOf('/') >= 0;
    text = text.startsWith("/") ? text.substring(1) : text;
    List<NamePattern> names = new ArrayList<>();
    for (String name : text.split("/", -1)) {
      if (name.isEmpty() || name.indexOf('\0') >= 0 || name.equals("..")) {
        throw new IllegalArgumentException(
            "expected a pattern such as \"*.log\" or \"/out/\", found \"%s\"".formatted(pattern));
      }
      names.add(new NamePattern(name));
    }
    return new PathPattern(isNegated, isDirectory, isAnchored, List.copyOf(names));
  }

  /** The pattern without the blanks at its end, except for one after a backslash. */
  private static String withoutBlanks(String pattern) {
    int end = 0;
    for (int i = 0; i < pattern.length(); i++) {
      boolean isEscape = pattern.charAt(i) == '\\';
      i += isEscape ? 1 : 0;
      if (isEscape || pattern.charAt(i) != ' ') {
        end = Math.min(i + 1, pattern.length());
      }
    }
    return pattern.substring(0, end);
  }

  /** Whether a path that matches is not meant. */
  boolean isNegated() {
    return isNegated;
  }

  /**
   * Whether a path matches.
   *
   * @param path the names of the path
   */
  boolean matches(String[] path, boolean directory) {
    if (isDirectory && !directory) {
      return false;
    }
    return isAnchored ? matches(path) : names.get(0).matches(path[path.length - 1]);
  }

  /** Matches with one place to return to, that of the last {@code **}, so that none is slow. */
  private boolean matches(String[] path) {
    int p = 0;
    int n = 0;
    int anyDepth = -1;
    int anyDepthName = 0;
    while (n < path.length) {
      NamePattern pattern = p < names.size() ? names.get(p) : null;
      if (pattern != null && pattern.text().equals(ANY_DEPTH)) {
        if (p == names.size() - 1) {
          return true; // "a/**" is everything in a, not a itself
        }
        anyDepth = p++;
        anyDepthName = n;
      } else if (pattern != null && pattern.matches(path[n])) {
        p++;
        n++;
      } else if (anyDepth >= 0) {
        p = anyDepth + 1;
        n = ++anyDepthName;
      } else {
        return false;
      }
    }
    return p == names.size();
  }

  /** Whether the pattern is relative to the root, and can match a path below a directory. */
  boolean canMatchBelow(String[] directory) {
    if (!isAnchored) {
      return false;
    }
    for (int i = 0; i < directory.length; i++) {
      if (i >= names.size()) {
        return false;
      }
      if (names.get(i).text().equals(ANY_DEPTH)) {
        return true;
      }
      if (!names.get(i).matches(directory[i])) {
        return false;
      }
    }
    return names.size() > directory.length;
  }
}
