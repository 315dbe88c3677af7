package dev.agentreplay.sandbox.snapshot;

import dev.agentreplay.io.file.OwnerOnly;
import dev.agentreplay.io.workspace.SnapshotEntry;
import dev.agentreplay.io.workspace.SnapshotFiles;
import dev.agentreplay.io.workspace.SnapshotManifest;
import dev.agentreplay.model.ContentHash;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * Takes snapshots of workspaces. A snapshot is complete when it has its manifest, which is written
 * last and forced to disk (fsync); its contents are not forced one by one, so that a loss of power
 * can damage them, which their hashes show. A failure leaves nothing. Safe for use by several
 * threads.
 */
public final class SnapshotWriter {

  private SnapshotWriter() {}

  /**
   * Takes a snapshot of a workspace.
   *
   * @param workspace the directory; a link to one is followed
   * @param snapshot the directory of the snapshot, which is missing or empty; only its owner can
   *     access it
   * @throws FileAlreadyExistsException if the snapshot exists and is not a directory
   * @throws DirectoryNotEmptyException if the snapshot exists and is not empty
   * @throws IOException if a limit is exceeded, a file cannot be read or the workspace changes all
   *     the time; the message names the file
   */
  public static SnapshotReport take(Path workspace, Path snapshot, SnapshotOptions options)
      throws IOException {
    WorkspaceScan.of(workspace, options); // a workspace that is missing leaves no directory
    TargetDirectory target = TargetDirectory.of(snapshot);
    try {
      return take(workspace, target.path(), SnapshotManifest.NAME, options);
    } catch (Throwable e) {
      target.undo(e);
      throw e;
    }
  }

  /**
   * Takes one more snapshot into the directory of an earlier one, with which it shares the
   * contents.
   *
   * @param name the name of the new manifest, such as {@code MANIFEST-2.jsonl}
   * @throws NoSuchFileException if the directory has no manifest
   * @throws FileAlreadyExistsException if a file has the name
   * @throws IOException as {@link #take(Path, Path, SnapshotOptions)}
   */
  public static SnapshotReport add(
      Path workspace, Path snapshot, String name, SnapshotOptions options) throws IOException {
    Path first = snapshot.resolve(SnapshotManifest.NAME);
    if (!Files.exists(first, LinkOption.NOFOLLOW_LINKS)) {
      throw new NoSuchFileException(first.toString());
    }
    Path target = snapshot.toRealPath();
    if (Files.exists(target.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(target.resolve(name).toString());
    }
    return take(
        workspace, target, name, options.base() == null ? options.withBase(target) : options);
  }

  /** Takes a snapshot into a directory, whose path is real. */
  private static SnapshotReport take(
      Path workspace, Path snapshot, String name, SnapshotOptions options) throws IOException {
    WorkspaceScan scan = WorkspaceScan.of(workspace, options.without(snapshot));
    if (scan.root().startsWith(snapshot)) {
      throw new FileSystemException(
          snapshot.toString(), null, "the snapshot cannot contain the workspace");
    }
    String root = scan.root().toString();
    Path base = options.base();
    if (base != null && !Files.isDirectory(base.resolve(SnapshotFiles.NAME))) {
      throw new NoSuchFileException(base.resolve(SnapshotFiles.NAME).toString());
    }
    FileIndex index =
        base == null ? FileIndex.EMPTY : IndexFile.read(base.resolve(IndexFile.NAME), root);
    SnapshotFiles files = SnapshotFiles.in(snapshot);
    if (!Files.exists(files.directory())) {
      OwnerOnly.createDirectory(files.directory());
    }
    SnapshotContents contents =
        new SnapshotContents(files, base == null ? null : SnapshotFiles.in(base.toRealPath()));
    try {
      ScannedWorkspace scanned = scan.scan(index, contents);
      SnapshotManifest manifest = scanned.manifest();
      contents.deleteExcept(hashes(manifest));
      if (!contents.hasBaseHere() || !scanned.index().isSameAs(index)) {
        Path file = snapshot.resolve(IndexFile.NAME);
        Files.deleteIfExists(file);
        IndexFile.write(file, root, scanned.index());
      }
      manifest.write(snapshot.resolve(name));
      return new SnapshotReport(manifest, contents.linked());
    } catch (Throwable e) {
      try {
        contents.deleteExcept(Set.of());
      } catch (Throwable again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  private static Set<ContentHash> hashes(SnapshotManifest manifest) {
    Set<ContentHash> hashes = new HashSet<>();
    for (SnapshotEntry entry : manifest.entries()) {
      if (entry instanceof SnapshotEntry.File file) {
        hashes.add(file.hash());
      }
    }
    return hashes;
  }
}
