package dev.agentreplay.io.session;

import dev.agentreplay.canonical.JsonLimits;
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
 * The values that are too large for a log: a directory of files, each named by the hash of its
 * bytes, which are canonical JSON. Safe for use by several threads.
 */
public final class BlobStore {

  /** What is kept; and what is kept can be read again, so an object has any number of members. */
  public static final JsonLimits LIMITS =
      JsonLimits.defaults().withMaxBytes(1 << 30).withMaxMembers(1 << 30);

  private final Path directory;

  /** The blobs in a directory, which is created when the first is written. */
  public BlobStore(Path directory) {
    this.directory = directory;
  }

  /** The name of a file; a colon is not part of one everywhere. */
  static String fileName(ContentHash name) {
    return "sha256-" + name.hex() + ".json";
  }

  /**
   * Keeps bytes, unless the same are there already.
   *
   * @param ref their hash and length
   */
  public void write(BlobRef ref, byte[] bytes) throws IOException {
    if (RegularFiles.directory(directory) == null) {
      LocalDisk.createDirectories(directory);
    }
    if (holds(ref)) {
      LocalDisk.INSTANCE.forceDirectory(
          directory); // whoever put it there may not have come to that
    } else {
      WholeFile.replace(file(ref.blob()), bytes);
    }
  }

  /**
   * The file of that name, or null if there is none.
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
   * The bytes that a reference is to, or null if they are not there.
   *
   * @throws IOException if there are others under that name, or more than the limit
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
          "%s: %d bytes are more than the limit of %d".formatted(file, size, maxBytes));
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
