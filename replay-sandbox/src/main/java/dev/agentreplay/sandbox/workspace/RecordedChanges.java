package dev.agentreplay.sandbox.workspace;

import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.workspace.FileMode;
import dev.agentreplay.io.workspace.SnapshotEntry;
import dev.agentreplay.io.workspace.SnapshotFiles;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.text.PlainText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes recorded changes of files in a workspace. The recording is not trusted: a path leads to
 * nothing outside of the workspace, also not through a link, and a content is checked by its hash.
 * Nor is a program that changes the workspace at the same time, as far as
 * {@link Workspace#isRaceFree} states. Immutable; for use by one thread at a time.
 */
public final class RecordedChanges {

  /** The modes of pipes, character devices, block devices and sockets, see inode(7). */
  private static final Pattern SPECIAL_MODE = Pattern.compile("(010|020|060|140)[0-7]{3}");

  private static final String DEFAULT_MODE = "100644";

  /** The maximum length of the target of a link, in bytes (Linux, "PATH_MAX"). */
  private static final int MAX_TARGET = 4096;

  private final Path root;
  private final SnapshotFiles contents;

  /**
   * Changes of a workspace.
   *
   * @param root the directory of the workspace, which is trusted and may be a link
   * @param contents the recorded contents
   * @throws IOException if the directory does not exist
   */
  public static RecordedChanges of(Path root, SnapshotFiles contents) throws IOException {
    return new RecordedChanges(root.toRealPath(), contents);
  }

  private RecordedChanges(Path root, SnapshotFiles contents) {
    this.root = root;
    this.contents = contents;
  }

  /**
   * Makes changes of different files, deletions first. A directory that becomes empty is deleted,
   * unless the changes say that it is empty.
   *
   * @return those whose content is missing, and those of pipes, sockets and devices
   * @throws IOException if a change cannot be made, or would be outside of the workspace
   */
  public List<FileState> make(List<FileState> changes) throws IOException {
    List<FileState> left = new ArrayList<>();
    Set<String> made = new HashSet<>();
    try (WorkspaceDirectory top = WorkspaceDirectory.open(root, true)) {
      for (FileState change : changes) {
        if (change.after() == null) {
          delete(top, names(change));
        } else {
          made.add(change.path());
        }
      }
      for (FileState change : changes) {
        if (change.after() == null) {
          deleteEmptyParents(top, names(change), made);
        }
      }
      for (FileState change : changes) {
        if (change.after() != null && !make(top, change, change.after())) {
          left.add(change);
        }
      }
      for (int i = changes.size() - 1; i >= 0; i--) { // in a directory that is read-only now, too
        FileState change = changes.get(i);
        if (change.after() != null && isDirectory(change)) {
          permit(top, change);
        }
      }
    }
    return left;
  }

  private static List<String> names(FileState change) throws IOException {
    try {
      return List.of(SnapshotEntry.requirePath(change.path()).split("/", -1));
    } catch (IllegalArgumentException e) {
      throw impossible(e);
    }
  }

  private static IOException impossible(IllegalArgumentException e) {
    return new IOException("a recorded change cannot be made: " + e.getMessage(), e);
  }

  private static boolean isDirectory(FileState change) {
    String mode = change.mode();
    return mode != null && FileMode.isDirectory(mode);
  }

  /** Whether an entry is a pipe, a socket or a device, none of which is created. */
  private static boolean isSpecial(FileState change) {
    return change.mode() != null && SPECIAL_MODE.matcher(change.mode()).matches();
  }

  private static String last(List<String> names) {
    return names.get(names.size() - 1);
  }

  /**
   * Opens the directory of an entry.
   *
   * @param creates whether missing directories are created
   * @return null if it is missing
   */
  private @Nullable WorkspaceDirectory parent(
      WorkspaceDirectory top, List<String> names, boolean creates) throws IOException {
    WorkspaceDirectory at = top.directory(".");
    for (int i = 0; i < names.size() - 1; i++) {
      try (WorkspaceDirectory parent = at) {
        BasicFileAttributes found = parent.attributes(names.get(i));
        if (found == null && !creates) {
          return null;
        } else if (found == null) {
          parent.createDirectory(names.get(i));
        } else if (!found.isDirectory()) {
          Path file = root.resolve(String.join("/", names.subList(0, i + 1)));
          throw RegularFiles.refused(file, found, "directory");
        }
        at = parent.directory(names.get(i));
      }
    }
    return at;
  }

  private void delete(WorkspaceDirectory top, List<String> names) throws IOException {
    try (WorkspaceDirectory parent = parent(top, names, false)) {
      if (parent != null) {
        clear(parent, last(names));
      }
    }
  }

  /** Deletes an entry, if it exists; a directory only if it is empty. */
  private static void clear(WorkspaceDirectory parent, String name) throws IOException {
    BasicFileAttributes found = parent.attributes(name);
    if (found != null && found.isDirectory()) {
      parent.deleteDirectory(name);
    } else if (found != null) {
      parent.deleteFile(name);
    }
  }

  private void deleteEmptyParents(WorkspaceDirectory top, List<String> names, Set<String> made)
      throws IOException {
    for (int size = names.size() - 1; size > 0; size--) {
      List<String> directory = names.subList(0, size);
      if (made.contains(String.join("/", directory)) || !deleteIfEmpty(top, directory)) {
        return;
      }
    }
  }

  private boolean deleteIfEmpty(WorkspaceDirectory top, List<String> names) throws IOException {
    try (WorkspaceDirectory parent = parent(top, names, false)) {
      BasicFileAttributes found = parent == null ? null : parent.attributes(last(names));
      if (parent == null || found == null || !found.isDirectory()) {
        return false;
      }
      try (WorkspaceDirectory directory = parent.directory(last(names))) {
        if (!directory.names().isEmpty()) {
          return false;
        }
      }
      parent.deleteDirectory(last(names));
      return true;
    }
  }

  /** Creates or replaces an entry. Returns false if its content is missing. */
  private boolean make(WorkspaceDirectory top, FileState change, ContentHash after)
      throws IOException {
    List<String> names = names(change);
    try (WorkspaceDirectory parent = parent(top, names, true)) {
      if (parent == null) {
        throw new IllegalStateException("it was created");
      }
      if (isDirectory(change)) {
        directory(parent, last(names));
        return true;
      }
      if (isSpecial(change)) {
        return false;
      }
      Path stored = contents.find(after);
      if (stored == null && !ContentHash.sha256(new byte[0]).equals(after)) {
        return false;
      }
      if (FileMode.LINK.equals(change.mode())) {
        link(parent, change, BlobRef.of(after, stored == null ? 0 : Files.size(stored)));
      } else {
        file(parent, change, BlobRef.of(after, stored == null ? 0 : Files.size(stored)));
      }
      return true;
    }
  }

  private static void directory(WorkspaceDirectory parent, String name) throws IOException {
    BasicFileAttributes found = parent.attributes(name);
    if (found != null && !found.isDirectory()) {
      parent.deleteFile(name);
    }
    if (found == null || !found.isDirectory()) {
      parent.createDirectory(name);
    }
  }

  private void link(WorkspaceDirectory parent, FileState change, BlobRef content)
      throws IOException {
    if (content.bytes() == 0 || content.bytes() > MAX_TARGET) {
      throw new IOException("%s: expected the target of a link, found %d bytes"
          .formatted(shown(change), content.bytes()));
    }
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    contents.copy(content, target);
    String name = last(names(change));
    Path to = root.getFileSystem().getPath(target.toString(StandardCharsets.UTF_8));
    clearOther(parent, change);
    parent.createLink(name, to);
  }

  private void file(WorkspaceDirectory parent, FileState change, BlobRef content)
      throws IOException {
    String name = last(names(change));
    BasicFileAttributes found = parent.attributes(name);
    boolean isNew = found == null || !found.isRegularFile();
    if (isNew) {
      clearOther(parent, change);
    }
    String mode = change.mode() == null && isNew ? DEFAULT_MODE : change.mode();
    Set<PosixFilePermission> permissions =
        mode == null ? parent.permissions(name) : permissions(mode);
    // the stream closes its directory
    try (WorkspaceOutput out = WorkspaceOutput.open(parent.directory("."), name, permissions)) {
      try {
        if (content.bytes() > 0) {
          contents.copy(content, out);
        }
      } catch (IOException | RuntimeException | Error e) {
        out.abort();
        throw e;
      }
    }
  }

  /** Deletes what is at the place of a file or a link; a directory only if it is empty. */
  private void clearOther(WorkspaceDirectory parent, FileState change) throws IOException {
    try {
      clear(parent, last(names(change)));
    } catch (DirectoryNotEmptyException e) {
      throw new IOException(
          shown(change) + ": a recorded file cannot replace a directory that is not empty", e);
    }
  }

  private String shown(FileState change) {
    return PlainText.escaped(root.resolve(change.path()).toString());
  }

  private void permit(WorkspaceDirectory top, FileState change) throws IOException {
    List<String> names = names(change);
    try (WorkspaceDirectory parent = parent(top, names, false)) {
      if (parent != null && change.mode() != null) {
        parent.setPermissions(last(names), permissions(change.mode()));
      }
    }
  }

  private static Set<PosixFilePermission> permissions(String mode) throws IOException {
    try {
      return FileMode.permissions(mode);
    } catch (IllegalArgumentException e) {
      throw impossible(e);
    }
  }
}
