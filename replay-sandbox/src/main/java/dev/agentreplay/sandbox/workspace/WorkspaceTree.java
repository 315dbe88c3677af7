package dev.agentreplay.sandbox.workspace;

import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.sandbox.workspace.RefusedPathException.Reason;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way from the root of a workspace to its entries: paths are parsed, directories are opened one
 * after the other, and entries that are not files or directories, or are spelled differently, are
 * refused. Safe for use by several threads.
 */
final class WorkspaceTree implements Closeable {

  private final Path root;
  private final WorkspaceDirectory top;
  private final boolean isWindows;
  private volatile boolean isClosed;

  private WorkspaceTree(Path root, WorkspaceDirectory top, boolean isWindows) {
    this.root = root;
    this.top = top;
    this.isWindows = isWindows;
  }

  /** Opens a workspace with descriptors only if requested, and with the names of a platform. */
  static WorkspaceTree open(Path root, boolean isSecure, boolean isWindows) throws IOException {
    Path real = root.toRealPath();
    if (!real.toFile().isDirectory()) {
      throw new NotDirectoryException(root.toString());
    }
    return new WorkspaceTree(real, WorkspaceDirectory.open(real, isSecure), isWindows);
  }

  /** Whether no process can lead an operation out of the workspace. */
  boolean isRaceFree() {
    return top.isRaceFree();
  }

  @Override
  public void close() throws IOException {
    isClosed = true;
    top.close();
  }

  /**
   * Parses a path.
   *
   * @throws IllegalStateException if the workspace is closed
   */
  WorkspacePath parse(String path) throws RefusedPathException {
    if (isClosed) {
      throw new IllegalStateException("the workspace is closed: " + root);
    }
    return WorkspacePath.parse(path, root.getFileSystem(), isWindows);
  }

  /** Opens the root again, so that each operation closes what it opened. */
  WorkspaceDirectory open() throws IOException {
    return top.directory(".");
  }

  /** Opens the directory of an entry. */
  WorkspaceDirectory parent(WorkspacePath entry) throws IOException {
    if (entry.isRoot()) {
      throw notA(entry, "file or a directory in the workspace");
    }
    return directory(entry, entry.parents());
  }

  WorkspaceDirectory directory(WorkspacePath path, List<String> names) throws IOException {
    WorkspaceDirectory at = open();
    for (String name : names) {
      at = child(at, path, name);
    }
    return at;
  }

  /** Opens a directory in a directory, which is closed. */
  static WorkspaceDirectory child(WorkspaceDirectory directory, WorkspacePath path, String name)
      throws IOException {
    try (directory) {
      if (!existing(directory, path, name).isDirectory()) {
        throw new NotDirectoryException(PlainText.escaped(path.text()));
      }
      return directory.directory(name);
    }
  }

  static BasicFileAttributes existing(WorkspaceDirectory directory, WorkspacePath path, String name)
      throws IOException {
    BasicFileAttributes found = find(directory, path, name);
    if (found == null) {
      throw new NoSuchFileException(PlainText.escaped(path.text()));
    }
    return found;
  }

  /** The attributes of an entry that is a file or a directory; null if it does not exist. */
  static @Nullable BasicFileAttributes find(
      WorkspaceDirectory directory, WorkspacePath path, String name) throws IOException {
    BasicFileAttributes found = directory.attributes(name);
    if (found == null) {
      return null;
    }
    if (found.isSymbolicLink() || (found.isOther() && found.isDirectory())) {
      throw new RefusedPathException(
          path.text(), Reason.LINK, "%s is a link, which is not followed".formatted(quoted(name)));
    }
    if (found.isOther()) {
      throw new RefusedPathException(path.text(), Reason.TYPE, quoted(name) + " is a special file");
    }
    String other = Aliases.otherName(directory, name, found);
    if (other != null) {
      throw new RefusedPathException(
          path.text(),
          Reason.ALIAS,
          "%s is the entry %s, spelled differently".formatted(quoted(name), quoted(other)));
    }
    return found;
  }

  private static String quoted(String name) {
    return "\"" + PlainText.escaped(name) + "\"";
  }

  static RefusedPathException notA(WorkspacePath path, String expected) {
    return new RefusedPathException(path.text(), Reason.TYPE, "expected a " + expected);
  }
}
