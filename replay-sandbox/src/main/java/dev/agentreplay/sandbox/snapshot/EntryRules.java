package dev.agentreplay.sandbox.snapshot;

import java.util.List;
import java.util.Locale;

/** The rules that choose the entries of a workspace. */
final class EntryRules {

  /** The decision about an entry. */
  enum Choice {
    /** The entry is in the snapshot. */
    TAKEN,
    /** The entry is left out. */
    IGNORED,
    /** The entry is left out because its name is one of files with secrets. */
    SECRET,
    /** The directory is left out, but for the entries in it that are included by name. */
    SEARCHED
  }

  private final List<PathPattern> ignored;
  private final List<PathPattern> secret;
  private final List<PathPattern> included;

  EntryRules(List<String> ignored, List<String> secret, List<String> included) {
    this.ignored = ignored.stream().map(PathPattern::parse).toList();
    this.secret =
        secret.stream().map(EntryRules::lowerCase).map(PathPattern::parse).toList();
    this.included = included.stream().map(PathPattern::parse).toList();
  }

  /**
   * Decides about an entry.
   *
   * @param path the names of the path
   * @param isInIgnored whether the entry is in a directory that is only searched
   */
  Choice choose(String[] path, boolean isDirectory, boolean isInIgnored) {
    if (matches(included, path, isDirectory)) {
      return Choice.TAKEN;
    }
    boolean isSecret = matches(secret, lowerCase(path), isDirectory);
    if (!isSecret && !isInIgnored && !matches(ignored, path, isDirectory)) {
      return Choice.TAKEN;
    }
    if (isDirectory) {
      for (PathPattern pattern : included) {
        if (!pattern.isNegated() && pattern.canMatchBelow(path)) {
          return Choice.SEARCHED;
        }
      }
    }
    return isSecret ? Choice.SECRET : Choice.IGNORED;
  }

  /** The names as patterns of secrets compare them: {@code ID_RSA} has a secret, too. */
  private static String[] lowerCase(String[] path) {
    String[] lower = new String[path.length];
    for (int i = 0; i < path.length; i++) {
      lower[i] = lowerCase(path[i]);
    }
    return lower;
  }

  private static String lowerCase(String text) {
    return text.toLowerCase(Locale.ROOT); // the same object if nothing changes
  }

  /** Whether the last pattern that matches is not negated, as in {@code .gitignore}. */
  private static boolean matches(List<PathPattern> patterns, String[] path, boolean isDirectory) {
    for (int i = patterns.size() - 1; i >= 0; i--) {
      PathPattern pattern = patterns.get(i);
      if (pattern.matches(path, isDirectory)) {
        return !pattern.isNegated();
      }
    }
    return false;
  }
}
