package dev.agentreplay.io.session;

import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.ContentHash;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A content-addressed store for values that are too large for the log: a directory of files, each
 * of which has the canonical JSON of a value and is named by its SHA-256. Files are written
 * atomically and forced to disk (fsync). Safe for use by several threads.
 */
public final class BlobStore {

  /**
   * The limits of a blob: at most 1 GiB, with any number of members. Every blob that is written can
   * be read within them.
   */
  public static final JsonLimits LIMITS =
      JsonLimits.defaults().withMaxBytes(1 << 30).withMaxMembers(1 << 30);

  private final Disk disk;
  private final Path directory;

  /** Creates a store in a directory, which is created when the first blob is written. */
  public BlobStore(Path directory) {
    this(LocalDisk.INSTANCE, directory);
  }

  /** Creates a store in a directory of a disk to which blobs are written. */
  public BlobStore(Disk disk, Path directory) {
    this.disk = disk;
    this.directory = directory;
  }

  /** The file name of a blob; it has no colon, which some file systems do not allow in names. */
  static String fileName(ContentHash name) {
    return "sha256-" + name.hex() + ".json";
  }

  /**
   * Stores bytes, unless the store has them already.
   *
   * @param ref their hash and length
   */
  public void write(BlobRef ref, byte[] bytes) throws IOException {
    if (RegularFiles.directory(directory) == null) {
      disk.createDirectory(directory);
    }
    if (holds(ref)) {
      // its writer may have crashed before it forced the directory
      disk.forceDirectory(directory);
    } else {
      WholeFile.replace(disk, file(ref.blob()), bytes);
    }
  }

  /**
   * The file of a blob, or null if it is missing.
   *
   * @throws IOException if it is a link, a directory or a special file
   */
  public @Nullable Path find(ContentHash name) throws IOException {
    return RegularFiles.file(file(name));
  }

  private boolean holds(BlobRef ref) throws IOException {
    Path file = find(ref.blob());
    return file != null
        && Files.size(file) == ref.bytes()
        && RegularFiles.measure(file, ref.bytes() + 1, OutputStream.nullOutputStream())
            .equals(ref);
  }

  /**
   * The bytes of a blob, or null if it is missing.
   *
   * @throws IOException if length or hash differ from the reference, or the length exceeds the
   *     limit
   */
  byte @Nullable [] read(BlobRef ref, int maxBytes) throws IOException {
    Path file = find(ref.blob());
    if (file == null) {
      return null;
    }
    long size = Files.size(file);
    if (size != ref.bytes()) {
      throw new IOException("%s: expected %d bytes, found %d".formatted(file, ref.bytes(), size));
    }
    if (size > maxBytes) {
      throw new IOException(
          "%s: expected at most %d bytes, found %d".formatted(file, maxBytes, size));
    }
    byte[] bytes;
    try (InputStream in = RegularFiles.open(file)) {
      bytes = in.readNBytes((int) size);
    }
    ContentHash hash = ContentHash.sha256(bytes);
    if (!hash.equals(ref.blob())) {
      throw new IOException("%s: the bytes have the hash %s".formatted(file, hash));
    }
    return bytes;
  }

  private Path file(ContentHash name) {
    return directory.resolve(fileName(name));
  }
}
