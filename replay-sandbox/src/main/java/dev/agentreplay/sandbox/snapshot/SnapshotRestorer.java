package dev.agentreplay.sandbox.snapshot;

import dev.agentreplay.io.file.OwnerOnly;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.workspace.FileMode;
import dev.agentreplay.io.workspace.SnapshotEntry;
import dev.agentreplay.io.workspace.SnapshotFiles;
import dev.agentreplay.io.workspace.SnapshotManifest;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Restores snapshots: contents, permissions, times of modification with nanoseconds, links and
 * empty directories. Each content is checked by its length and hash while it is copied.
 *
 * <p>A snapshot is not trusted: nothing outside of the directory is written, whatever the manifest
 * and the contents are. A failure deletes what was restored. Safe for use by several threads.
 */
public final class SnapshotRestorer {

  private static final Set<OpenOption> CREATE =
      Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, LinkOption.NOFOLLOW_LINKS);

  private static final FileAttribute<?>[] OWNER_ONLY = {
    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
  };

  private final SnapshotFiles contents;
  private final SnapshotManifest manifest;
  private final Path root;
  private final Set<Path> checkedParents = ConcurrentHashMap.newKeySet();
  private final boolean isPosix;
  private final FileAttribute<?>[] ownerOnly;
  private final Buffers buffers = new Buffers();

  private SnapshotRestorer(SnapshotFiles contents, SnapshotManifest manifest, Path root) {
    this.contents = contents;
    this.manifest = manifest;
    this.root = root;
    this.isPosix = root.getFileSystem().supportedFileAttributeViews().contains("posix");
    this.ownerOnly = isPosix ? OWNER_ONLY : new FileAttribute<?>[0];
  }

  /**
   * Restores the snapshot in a directory.
   *
   * @param snapshot the directory of the snapshot, or a manifest in it
   * @param directory the directory to restore to, which is missing or empty
   * @return the manifest
   * @throws FileAlreadyExistsException if the directory exists and is not a directory
   * @throws DirectoryNotEmptyException if the directory exists and is not empty
   * @throws dev.agentreplay.model.finding.DocumentFormatException if the manifest is malformed
   * @throws IOException if a content is missing or has a different hash, or cannot be written
   */
  public static SnapshotManifest restore(Path snapshot, Path directory) throws IOException {
    SnapshotManifest manifest = SnapshotManifest.read(snapshot);
    Path home =
        Files.isDirectory(snapshot) ? snapshot : snapshot.toAbsolutePath().resolveSibling("");
    restore(manifest, SnapshotFiles.in(home), directory);
    return manifest;
  }

  /**
   * Restores a manifest whose contents are given.
   *
   * @throws IOException as {@link #restore(Path, Path)}
   */
  public static void restore(SnapshotManifest manifest, SnapshotFiles contents, Path directory)
      throws IOException {
    TargetDirectory target = TargetDirectory.of(directory);
    try {
      new SnapshotRestorer(contents, manifest, target.path()).run();
    } catch (Throwable e) {
      target.undo(e);
      throw e;
    }
  }

  private void run() throws IOException {
    List<SnapshotEntry.Directory> directories = new ArrayList<>();
    List<SnapshotEntry.File> files = new ArrayList<>();
    List<SnapshotEntry.Link> links = new ArrayList<>();
    for (SnapshotEntry entry : manifest.entries()) {
      if (entry instanceof SnapshotEntry.Directory made) {
        OwnerOnly.createDirectory(path(made));
        directories.add(made);
      } else if (entry instanceof SnapshotEntry.File file) {
        files.add(file);
      } else if (entry instanceof SnapshotEntry.Link link) {
        links.add(link);
      }
    }
    try (Parallel parallel = new Parallel()) {
      parallel.forEach(files, this::file);
      // links last: no file is ever written while one of them exists
      parallel.forEach(links, this::link);
      Collections.reverse(directories);
      parallel.forEach(directories, made -> time(path(made), made.modified()));
      for (SnapshotEntry.Directory made : directories) { // those within others first
        mode(path(made), made.mode());
      }
    }
    time(root, manifest.header().modified());
    mode(root, manifest.header().mode());
  }

  private void file(SnapshotEntry.File file) throws IOException {
    Path target = path(file);
    BlobRef content = BlobRef.of(file.hash(), file.bytes());
    if (file.bytes() > Buffers.SMALL_BYTES) {
      try (OutputStream out = OwnerOnly.newFile(target)) {
        contents.copy(content, out);
      }
    } else {
      small(file, target);
    }
    time(target, file.modified());
    mode(target, file.mode());
  }

  private void small(SnapshotEntry.File file, Path target) throws IOException {
    Path source = source(file.hash());
    ByteBuffer buffer = buffers.acquire();
    try {
      Buffers.read(source, buffer);
      ContentHash hash = Buffers.hash(buffer);
      if (buffer.limit() != file.bytes() || !hash.equals(file.hash())) {
        throw new FileSystemException(
            source.toString(),
            null,
            "expected %d bytes with the hash %s for \"%s\", found %d with %s"
                .formatted(
                    file.bytes(),
                    file.hash(),
                    PlainText.escaped(file.path()),
                    buffer.limit(),
                    hash));
      }
      try (SeekableByteChannel out = Files.newByteChannel(target, CREATE, ownerOnly)) {
        while (buffer.hasRemaining()) {
          out.write(buffer);
        }
      }
    } finally {
      buffers.release(buffer);
    }
  }

  /** The file of a content, which may be a pipe that would block the reader. */
  private Path source(ContentHash hash) throws IOException {
    Path source = contents.path(hash);
    Path parent = Objects.requireNonNull(source.getParent());
    boolean isFound = checkedParents.contains(parent)
        ? RegularFiles.file(source) != null
        : contents.find(hash) != null;
    if (!isFound) {
      throw new NoSuchFileException(source.toString(), null, "the content is missing");
    }
    checkedParents.add(parent);
    return source;
  }

  private void link(SnapshotEntry.Link link) throws IOException {
    try {
      Files.createSymbolicLink(path(link), root.getFileSystem().getPath(link.target()));
    } catch (UnsupportedOperationException | InvalidPathException e) {
      throw new FileSystemException(
          path(link).toString(), null, "the link cannot be created: " + e.getMessage());
    }
  }

  /** The place of an entry; its path is relative and without dots, as each of a manifest. */
  private Path path(SnapshotEntry entry) throws FileSystemException {
    Path at = root;
    try {
      for (String name : entry.path().split("/", -1)) {
        Path child = at.resolve(name);
        // on Windows a name may be "a\b" or "C:"
        if (child.getNameCount() != at.getNameCount() + 1
            || !child.startsWith(root)
            || !String.valueOf(child.getFileName()).equals(name)) {
          throw new FileSystemException(
              root.toString(),
              null,
              "\"%s\" is not a path on this system".formatted(PlainText.escaped(entry.path())));
        }
        at = child;
      }
    } catch (InvalidPathException e) {
      throw new FileSystemException(
          root.toString(),
          null,
          "\"%s\" is not a path on this system".formatted(PlainText.escaped(entry.path())));
    }
    return at;
  }

  /**
   * Sets a time of modification. Java sets no fraction of a second before 1970, but 1970 instead,
   * and no time after the number of nanoseconds that a long can state, in 2262.
   */
  private static void time(Path file, Instant modified) throws IOException {
    Instant possible =
        modified.isBefore(Instant.EPOCH) ? modified.truncatedTo(ChronoUnit.SECONDS) : modified;
    Files.getFileAttributeView(file, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .setTimes(FileTime.from(possible), null, null);
  }

  private void mode(Path file, String mode) throws IOException {
    if (isPosix) {
      Files.getFileAttributeView(file, PosixFileAttributeView.class)
          .setPermissions(FileMode.permissions(mode));
    }
  }
}
