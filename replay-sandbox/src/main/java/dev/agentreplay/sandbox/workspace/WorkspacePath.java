package dev.agentreplay.sandbox.workspace;

import dev.agentreplay.sandbox.workspace.RefusedPathException.Reason;
import java.nio.file.FileSystem;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A path in a workspace.
 *
 * @param text the path as the caller gave it
 * @param names the names, of which each is that of an entry in a directory; empty for the root
 */
record WorkspacePath(String text, List<String> names) {

  /** Devices of Windows, which exist in every directory and with every extension. */
  private static final Pattern DEVICE = Pattern.compile(
      "(?i)(CON|PRN|AUX|NUL|CONIN\\$|CONOUT\\$|(COM|LPT)[0-9\u00b9\u00b2\u00b3])\\s*(\\..*)?");

  WorkspacePath {
    names = List.copyOf(names);
  }

  /**
   * Parses a path.
   *
   * @param isWindows whether names must not be those that Windows reserves
   */
  static WorkspacePath parse(String path, FileSystem files, boolean isWindows)
      throws RefusedPathException {
    Objects.requireNonNull(path, "path");
    if (path.isEmpty() || path.equals(".")) {
      return new WorkspacePath(path, List.of());
    }
    if (path.startsWith("/") || (isWindows && path.startsWith("\\"))) {
      throw new RefusedPathException(
          path, Reason.ABSOLUTE, "expected a path relative to the workspace");
    }
    List<String> names = List.of(path.split("/", -1));
    for (String name : names) {
      check(path, name, files, isWindows);
    }
    return new WorkspacePath(path, names);
  }

  private static void check(String path, String name, FileSystem files, boolean isWindows)
      throws RefusedPathException {
    if (name.isEmpty() || name.equals(".") || name.equals("..")) {
      throw new RefusedPathException(
          path, Reason.NAME, "expected names between /, found \"%s\"".formatted(name));
    }
    if (isWindows && isReserved(name)) {
      throw new RefusedPathException(
          path, Reason.RESERVED, "a name is reserved on Windows, or is not kept as it is");
    }
    Path entry;
    try {
      entry = files.getPath(name);
    } catch (InvalidPathException e) {
      throw invalid(path);
    }
    if (entry.isAbsolute() || entry.getRoot() != null) {
      throw new RefusedPathException(
          path, Reason.ABSOLUTE, "expected a path relative to the workspace");
    }
    if (entry.getNameCount() != 1 || !entry.toString().equals(name)) {
      throw invalid(path);
    }
  }

  private static RefusedPathException invalid(String path) {
    return new RefusedPathException(
        path, Reason.CHARACTER, "a name has a character that a file name cannot have");
  }

  /** Whether Windows opens something other than a file of exactly this name. */
  private static boolean isReserved(String name) {
    return name.indexOf(':') >= 0
        || name.endsWith(".")
        || name.endsWith(" ")
        || DEVICE.matcher(name).matches();
  }

  boolean isRoot() {
    return names.isEmpty();
  }

  /** The names of the directories on the way to the entry. */
  List<String> parents() {
    return names.subList(0, names.size() - 1);
  }

  /** The name of the entry in its directory. */
  String name() {
    return names.get(names.size() - 1);
  }
}
