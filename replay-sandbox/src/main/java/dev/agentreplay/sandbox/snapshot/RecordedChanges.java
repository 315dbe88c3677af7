package dev.agentreplay.sandbox.snapshot;

import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.file.WholeFile;
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
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes recorded changes of files in a workspace. The recording is not trusted: a path leads to
 * nothing outside of the workspace, also not through a link, and a content is checked by its hash.
 */
final class RecordedChanges {

  private static final String DEFAULT_MODE = "100644";

  /** The maximum length of the target of a link, in bytes (Linux, "PATH_MAX"). */
  private static final int MAX_TARGET = 4096;

  private final Path root;
  private final SnapshotFiles contents;

  RecordedChanges(Path root, SnapshotFiles contents) {
    this.root = root;
    this.contents = contents;
  }

  /**
   * Makes changes of different files, deletions first. A directory that becomes empty is deleted,
   * unless the changes say that it is empty.
   *
   * @return those whose content is missing
   */
  List<FileState> make(List<FileState> changes) throws IOException {
    List<FileState> left = new ArrayList<>();
    Set<String> made = new HashSet<>();
    for (FileState change : changes) {
      if (change.after() == null) {
        make(change);
      } else {
        made.add(change.path());
      }
    }
    for (FileState change : changes) {
      if (change.after() == null) {
        deleteEmptyParents(change.path(), made);
      }
    }
    for (FileState change : changes) {
      if (change.after() != null && !make(change)) {
        left.add(change);
      }
    }
    for (int i = changes.size() - 1; i >= 0; i--) { // in a directory that is read-only now, too
      String mode = changes.get(i).mode();
      if (changes.get(i).after() != null && mode != null && FileMode.isDirectory(mode)) {
        permit(root.resolve(changes.get(i).path()), mode);
      }
    }
    return left;
  }

  private void deleteEmptyParents(String path, Set<String> made) throws IOException {
    for (int slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      String parent = path.substring(0, slash);
      Path directory = root.resolve(parent);
      if (made.contains(parent) || !Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
        return;
      }
      try (Stream<Path> children = Files.list(directory)) {
        if (children.findAny().isPresent()) {
          return;
        }
      }
      Files.delete(directory);
    }
  }

  /** Makes a change. Returns false if its content is missing. */
  private boolean make(FileState change) throws IOException {
    Path parent = root;
    List<String> names = List.of(path(change).split("/", -1));
    for (String name : names.subList(0, names.size() - 1)) {
      parent = parent.resolve(name);
      if (RegularFiles.directory(parent) == null) {
        if (change.after() == null) {
          return true; // deleted already
        }
        Files.createDirectory(parent);
      }
    }
    Path file = parent.resolve(names.get(names.size() - 1));
    ContentHash after = change.after();
    if (after == null) {
      Files.deleteIfExists(file);
      return true;
    }
    String mode = change.mode();
    if (mode != null && FileMode.isDirectory(mode)) {
      directory(file);
      return true;
    }
    Path stored = contents.find(after);
    if (stored == null && !isEmpty(change)) {
      return false;
    }
    if (FileMode.LINK.equals(mode)) {
      link(file, after, stored);
    } else {
      file(file, after, stored, mode);
    }
    return true;
  }

  private static String path(FileState change) throws IOException {
    try {
      return SnapshotEntry.requirePath(change.path());
    } catch (IllegalArgumentException e) {
      throw new IOException("a recorded change cannot be made: " + e.getMessage(), e);
    }
  }

  private static boolean isEmpty(FileState change) {
    return ContentHash.sha256(new byte[0]).equals(change.after());
  }

  private static void directory(Path file) throws IOException {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        && !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
      Files.delete(file);
    }
    if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectory(file);
    }
  }

  private void link(Path file, ContentHash hash, @Nullable Path stored) throws IOException {
    long bytes = stored == null ? 0 : Files.size(stored);
    if (bytes == 0 || bytes > MAX_TARGET) {
      throw new IOException("%s: expected the target of a link, found %d bytes"
          .formatted(PlainText.escaped(file.toString()), bytes));
    }
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    contents.copy(BlobRef.of(hash, bytes), target);
    Path to = file.getFileSystem().getPath(target.toString(StandardCharsets.UTF_8));
    deleteOther(file);
    Files.createSymbolicLink(file, to);
  }

  private void file(Path file, ContentHash hash, @Nullable Path stored, @Nullable String mode)
      throws IOException {
    boolean isNew = !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    if (isNew) {
      deleteOther(file);
    }
    try (WholeFile whole = WholeFile.replacing(file)) {
      if (stored != null) {
        contents.copy(BlobRef.of(hash, Files.size(stored)), whole.out());
      }
      whole.commit();
    }
    String newMode = mode == null && isNew ? DEFAULT_MODE : mode;
    if (newMode != null) {
      permit(file, newMode);
    }
  }

  /** Deletes what is at the place of a file or a link; a directory only if it is empty. */
  private static void deleteOther(Path file) throws IOException {
    try {
      Files.deleteIfExists(file);
    } catch (DirectoryNotEmptyException e) {
      throw new IOException(
          "%s: a recorded file cannot replace a directory that is not empty"
              .formatted(PlainText.escaped(file.toString())),
          e);
    }
  }

  private static void permit(Path file, String mode) throws IOException {
    PosixFileAttributeView view =
        Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    if (view == null) {
      return;
    }
    try {
      view.setPermissions(FileMode.permissions(mode));
    } catch (IllegalArgumentException e) {
      throw new IOException("a recorded change cannot be made: " + e.getMessage(), e);
    }
  }
}
