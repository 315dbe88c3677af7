package dev.agentreplay.sandbox.snapshot;

import dev.agentreplay.io.file.OwnerOnly;
import dev.agentreplay.io.workspace.SnapshotEntry;
import dev.agentreplay.io.workspace.SnapshotFiles;
import dev.agentreplay.io.workspace.SnapshotManifest;
import dev.agentreplay.model.ContentHash;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
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
    boolean isNew = !Files.exists(snapshot, LinkOption.NOFOLLOW_LINKS);
    if (!isNew) {
      requireEmpty(snapshot);
    }
    Path target = snapshot.toAbsolutePath().normalize();
    try {
      if (isNew) {
        OwnerOnly.createDirectory(target);
      }
      return take(workspace, target, SnapshotManifest.NAME, options);
    } catch (Throwable e) {
      undo(target, isNew, e);
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
    Path target = snapshot.toAbsolutePath().normalize();
    if (!Files.exists(target.resolve(SnapshotManifest.NAME), LinkOption.NOFOLLOW_LINKS)) {
      throw new NoSuchFileException(target.resolve(SnapshotManifest.NAME).toString());
    }
    if (Files.exists(target.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(target.resolve(name).toString());
    }
    return take(
        workspace, target, name, options.base() == null ? options.withBase(target) : options);
  }

  private static SnapshotReport take(
      Path workspace, Path snapshot, String name, SnapshotOptions options) throws IOException {
    WorkspaceScan scan = WorkspaceScan.of(workspace, options.without(snapshot));
    if (scan.root().startsWith(snapshot.toRealPath())) {
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
    SnapshotContents contents = new SnapshotContents(
        files, base == null ? null : SnapshotFiles.in(base.toAbsolutePath().normalize()));
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

  static void requireEmpty(Path directory) throws IOException {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(directory.toString());
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      if (entries.iterator().hasNext()) {
        throw new DirectoryNotEmptyException(directory.toString());
      }
    }
  }

  /** Deletes a directory that could not be completed, or empties one that existed before. */
  static void undo(Path directory, boolean isNew, Throwable failure) {
    try {
      FileTrees.empty(directory);
      if (isNew) {
        Files.deleteIfExists(directory);
      }
    } catch (Throwable e) {
      failure.addSuppressed(e);
    }
  }
}
