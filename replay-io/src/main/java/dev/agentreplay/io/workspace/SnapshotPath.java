package dev.agentreplay.io.workspace;

import dev.agentreplay.model.text.Surrogates;
import org.jspecify.annotations.Nullable;

/** The form and the order of paths in a snapshot. */
final class SnapshotPath {

  private SnapshotPath() {}

  /** The fault of a path that is not relative, in its shortest form and storable; else null. */
  static @Nullable String fault(String path) {
    if (path.isEmpty()) {
      return "an empty path";
    }
    if (path.indexOf('\0') >= 0) {
      return "a path with a NUL character";
    }
    if (Surrogates.indexOfLone(path) >= 0) {
      return "a path with a lone surrogate";
    }
    int from = 0;
    while (from <= path.length()) {
      int slash = path.indexOf('/', from);
      int to = slash < 0 ? path.length() : slash;
      if (to == from) {
        return path.startsWith("/") ? "an absolute path" : "a path with an empty name";
      }
      String name = path.substring(from, to);
      if (name.equals(".") || name.equals("..")) {
        return "a path with the name \"%s\"".formatted(name);
      }
      from = to + 1;
    }
    return null;
  }

  /** The path of the directory that contains a path; null if it is the root. */
  static @Nullable String parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? null : path.substring(0, slash);
  }

  /** Compares by the bytes of the UTF-8 form. */
  static int compare(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        // surrogates stand for characters after all others, but sort before U+E000
        boolean isXLast = Character.isSurrogate(x);
        boolean isYLast = Character.isSurrogate(y);
        return isXLast == isYLast ? Character.compare(x, y) : isXLast ? 1 : -1;
      }
    }
    return Integer.compare(a.length(), b.length());
  }
}
