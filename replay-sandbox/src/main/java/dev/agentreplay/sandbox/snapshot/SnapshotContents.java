package dev.agentreplay.sandbox.snapshot;

import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.workspace.SnapshotEntry;
import dev.agentreplay.io.workspace.SnapshotFiles;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.ContentHash;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Stores the contents of a workspace in a snapshot while they are read. */
final class SnapshotContents implements ContentReader {

  private static final Set<OpenOption> CREATE =
      Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
  private static final FileAttribute<?>[] NONE = {};
  private static final FileAttribute<?>[] OWNER_READS = {
    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r--------"))
  };

  private final SnapshotFiles files;
  private final @Nullable SnapshotFiles base;
  private final boolean isBaseHere;

  /** The contents of the base by their names, if it is in the same directory. */
  private final Set<ContentHash> named;

  /** Contents of an earlier snapshot in the same directory that are also of this one. */
  private final Set<ContentHash> earlier = ConcurrentHashMap.newKeySet();

  private final Set<ContentHash> stored = ConcurrentHashMap.newKeySet();
  private final AtomicLong linked = new AtomicLong();
  private final Buffers buffers = new Buffers();
  private final FileAttribute<?>[] mode;

  /**
   * @param files the contents of the snapshot
   * @param base the contents of the earlier snapshot; null if there is none
   */
  SnapshotContents(SnapshotFiles files, @Nullable SnapshotFiles base) throws IOException {
    this.files = files;
    this.base = base;
    this.isBaseHere = base != null && base.directory().equals(files.directory());
    this.named = isBaseHere ? files.names() : Set.of();
    boolean isPosix =
        files.directory().getFileSystem().supportedFileAttributeViews().contains("posix");
    this.mode = isPosix ? OWNER_READS : NONE;
  }

  @Override
  public BlobRef read(Path file, long most) throws IOException {
    ByteBuffer buffer = buffers.acquire();
    try {
      Buffers.read(file, buffer);
      if (buffer.limit() > Buffers.SMALL_BYTES) {
        return large(file, most);
      }
      if (buffer.limit() > most) {
        throw tooLong(file, most);
      }
      ContentHash hash = Buffers.hash(buffer);
      if (!earlier.contains(hash) && stored.add(hash)) {
        store(hash, buffer);
      }
      return BlobRef.of(hash, buffer.limit());
    } finally {
      buffers.release(buffer);
    }
  }

  private BlobRef large(Path file, long most) throws IOException {
    try (InputStream in = RegularFiles.open(file)) {
      BlobRef content = files.put(in, most);
      (named.contains(content.blob()) ? earlier : stored).add(content.blob());
      return content;
    }
  }

  /** Writes a content to its place at once: a snapshot is complete only with its manifest. */
  private void store(ContentHash hash, ByteBuffer bytes) throws IOException {
    try (SeekableByteChannel out = create(hash)) {
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
    } catch (FileAlreadyExistsException e) {
      // of an earlier snapshot in the same directory
      bytes.rewind();
      byte[] copy = new byte[bytes.limit()];
      bytes.get(copy);
      files.put(copy);
      stored.remove(hash);
      earlier.add(hash);
    }
  }

  private SeekableByteChannel create(ContentHash hash) throws IOException {
    try {
      return Files.newByteChannel(files.path(hash), CREATE, mode);
    } catch (NoSuchFileException e) {
      files.createFanOut(hash);
      return Files.newByteChannel(files.path(hash), CREATE, mode);
    }
  }

  @Override
  public boolean unchanged(SnapshotEntry.File file) throws IOException {
    ContentHash hash = file.hash();
    SnapshotFiles from = base;
    if (stored.contains(hash) || earlier.contains(hash)) {
      return true;
    }
    if (from == null) {
      return false;
    }
    if (isBaseHere) {
      return named.contains(hash);
    }
    try {
      link(hash, from);
    } catch (FileAlreadyExistsException e) {
      return true; // of a different file with the same content
    } catch (FileSystemException | UnsupportedOperationException e) {
      return false; // it is missing, or cannot be linked: the file is read
    }
    stored.add(hash);
    linked.incrementAndGet();
    return true;
  }

  private void link(ContentHash hash, SnapshotFiles from) throws IOException {
    try {
      Files.createLink(files.path(hash), from.path(hash));
    } catch (NoSuchFileException e) {
      files.createFanOut(hash);
      Files.createLink(files.path(hash), from.path(hash));
    }
  }

  private static IOException tooLong(Path file, long most) {
    return new FileSystemException(
        file.toString(), null, "the file grew to more than the limit of %d bytes".formatted(most));
  }

  /** Whether the earlier snapshot is in the same directory. */
  boolean hasBaseHere() {
    return isBaseHere;
  }

  /** The number of contents that are links to those of the earlier snapshot. */
  long linked() {
    return linked.get();
  }

  /** Deletes the contents that were stored, except for the given ones. */
  void deleteExcept(Collection<ContentHash> kept) throws IOException {
    Set<ContentHash> removed = new HashSet<>(stored);
    removed.removeAll(kept);
    for (ContentHash hash : removed) {
      Files.deleteIfExists(files.path(hash));
    }
  }
}
