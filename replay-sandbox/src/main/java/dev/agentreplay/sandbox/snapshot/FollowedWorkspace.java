package dev.agentreplay.sandbox.snapshot;

import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.workspace.SnapshotEntry;
import dev.agentreplay.io.workspace.SnapshotFiles;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.FileState;
import dev.agentreplay.sandbox.workspace.RefusedPathException;
import dev.agentreplay.sandbox.workspace.Workspace;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A workspace whose changes are captured from one scan to the next. For use by one thread. */
final class FollowedWorkspace {

  /** A content with the state that the file had before it was read. */
  private record Read(FileStat stat, BlobRef content) {}

  private final WorkspaceScan scan;
  private final SnapshotFiles files;
  private final long maxContentBytes;
  private final boolean hasModes;

  /** The contents that were read, by path; also of files that are deleted since. */
  private final Map<String, Read> reads = new ConcurrentHashMap<>();

  private FileIndex index;
  private WorkspaceState state;

  /** The paths of the entries that were opaque at first, whose changes are not known. */
  private @Nullable Set<String> opaqueAtFirst;

  private List<String> unreadable = List.of();

  /**
   * Creates a workspace to follow.
   *
   * @param entries its entries at first
   * @param index the index of these entries
   * @param files the place of the contents of changed files
   * @param maxContentBytes the maximum length of a content that is stored
   */
  FollowedWorkspace(
      WorkspaceScan scan,
      List<SnapshotEntry> entries,
      FileIndex index,
      SnapshotFiles files,
      long maxContentBytes) {
    this.scan = scan;
    this.files = files;
    this.maxContentBytes = maxContentBytes;
    this.hasModes = scan.hasModes();
    this.index = index;
    this.state = new WorkspaceState(entries, List.of(), hasModes);
  }

  /** Returns the changes since the last call that did not fail, and stores their contents. */
  List<FileState> changes() throws IOException {
    ScannedWorkspace scanned;
    try (Workspace opened = Workspace.open(scan.root())) {
      scanned = scan.scan(index, (file, most) -> read(opened, file, most));
    }
    WorkspaceState now = new WorkspaceState(scanned.entries(), opaque(scanned), hasModes);
    List<FileState> changes = state.changesTo(now);
    requireDeleted(scan.root(), changes);
    storeLinks(scanned, changes);
    index = scanned.index();
    state = now;
    unreadable = scanned.unreadable();
    return changes;
  }

  /** The opaque entries that are new: a snapshot does not have those that were there at first. */
  private List<FoundFile> opaque(ScannedWorkspace scanned) {
    Set<String> first = opaqueAtFirst;
    if (first == null) {
      first = new HashSet<>();
      for (FoundFile found : scanned.opaque()) {
        first.add(found.path());
      }
      opaqueAtFirst = first;
    }
    Set<String> known = first;
    return scanned.opaque().stream()
        .filter(found -> !known.contains(found.path()))
        .toList();
  }

  /** The paths of the files and directories that the last scan could not read. */
  List<String> unreadable() {
    return unreadable;
  }

  /** Reads a file that has changed, and stores its content unless it is too long. */
  BlobRef read(Workspace opened, Path file, long most) throws IOException {
    String path = path(file);
    FileStat now = FileStat.of(file);
    BlobRef content;
    try (InputStream in = open(opened, file)) {
      content = now.bytes() > maxContentBytes
          ? RegularFiles.measure(bytes -> in.read(bytes), OutputStream.nullOutputStream())
          : files.put(in, most);
    } catch (AccessDeniedException e) {
      Read before = earlier(path);
      if (before == null || !isSameContent(before.stat(), now)) {
        throw e;
      }
      content = before.content();
    }
    reads.put(path, new Read(now, content));
    return content;
  }

  /**
   * Opens a file. A program that runs at the same time may have replaced a directory on the way by
   * a link, which is not followed: the file is missing then.
   */
  private InputStream open(Workspace opened, Path file) throws IOException {
    if (!file.startsWith(scan.root())) {
      return RegularFiles.open(file); // the copy of a database
    }
    try {
      return opened.newInputStream(path(file));
    } catch (RefusedPathException | NotDirectoryException e) {
      NoSuchFileException missing = new NoSuchFileException(file.toString());
      missing.initCause(e);
      throw missing;
    }
  }

  private String path(Path file) {
    String path = scan.root().relativize(file).toString();
    return path.replace(scan.root().getFileSystem().getSeparator(), "/");
  }

  /** The content of a file as it was read last; null if it is not known. */
  private @Nullable Read earlier(String path) {
    Read read = reads.get(path);
    FileIndex.Known known = index.files().get(path);
    return read != null || known == null
        ? read
        : new Read(known.stat(), BlobRef.of(known.file().hash(), known.file().bytes()));
  }

  /** Whether nothing but the permissions of a file has changed. */
  private static boolean isSameContent(FileStat before, FileStat now) {
    return before.inode() == now.inode()
        && before.bytes() == now.bytes()
        && before.modified().equals(now.modified());
  }

  /** Fails if a file that seems to be deleted is only unreadable, which a scan leaves out. */
  private static void requireDeleted(Path root, List<FileState> changes) throws IOException {
    for (FileState change : changes) {
      if (change.after() != null) {
        continue;
      }
      Path file = root.resolve(change.path());
      if (isUnreadable(file)) {
        throw new AccessDeniedException(
            file.toString(), null, "it was readable before, and its changes cannot be recorded");
      }
    }
  }

  private static boolean isUnreadable(Path file) throws IOException {
    try {
      FileStat.Type type = FileStat.of(file).type();
      return (type == FileStat.Type.FILE || type == FileStat.Type.DIRECTORY)
          && !Files.isReadable(file)
          && Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    } catch (AccessDeniedException e) {
      return true;
    } catch (FileSystemException e) {
      return false; // it is missing, or its parent is not a directory
    }
  }

  private void storeLinks(ScannedWorkspace scanned, List<FileState> changes) throws IOException {
    if (changes.isEmpty()) {
      return;
    }
    Set<String> changed = new HashSet<>();
    changes.forEach(change -> changed.add(change.path()));
    for (SnapshotEntry entry : scanned.entries()) {
      if (entry instanceof SnapshotEntry.Link link && changed.contains(link.path())) {
        files.put(WorkspaceState.target(link));
      }
    }
  }
}
