package dev.agentreplay.sandbox.snapshot;

import java.util.ArrayList;
import java.util.List;

/**
 * A pattern of paths in the form of {@code .gitignore}: {@code *}, {@code ?} and {@code [a-z]}
 * match within a name, {@code **} matches any number of directories, a pattern with a slash before
 * its end is relative to the root, others match a name at any depth, a slash at the end matches
 * directories only, {@code !} negates, and a backslash takes the next character as it is.
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
   * @throws IllegalArgumentException if it is empty, or has an empty name or a NUL character
   */
  static PathPattern parse(String pattern) {
    String text = pattern;
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
    return isAnchored ? matches(0, path, 0) : names.get(0).matches(path[path.length - 1]);
  }

  private boolean matches(int name, String[] path, int at) {
    if (name == names.size()) {
      return at == path.length;
    }
    NamePattern pattern = names.get(name);
    if (!pattern.text().equals(ANY_DEPTH)) {
      return at < path.length && pattern.matches(path[at]) && matches(name + 1, path, at + 1);
    }
    boolean isLast = name == names.size() - 1; // "a/**" is everything in a, not a itself
    for (int next = isLast ? at + 1 : at; next <= path.length; next++) {
      if (matches(name + 1, path, next)) {
        return true;
      }
    }
    return false;
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
