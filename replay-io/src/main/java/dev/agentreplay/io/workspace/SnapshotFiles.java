package dev.agentreplay.io.workspace;

import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.OwnerOnly;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.ContentHash;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The contents of files in a snapshot: the directory {@value #NAME}, in which each content is a
 * file that is named by its SHA-256, as Git names its objects: {@code ab/cdef…}. Only their owner
 * can read the files, and they are read-only.
 *
 * <p>The directory is not trusted: links and special files are refused, and bytes count only if
 * they have the hash. Safe for use by several threads and processes.
 */
public final class SnapshotFiles {

  /** The name of the directory in that of a snapshot. */
  public static final String NAME = "files";

  /**
   * The name of a file next to that directory: a cache of the machine that took the snapshot, which
   * is not part of it.
   */
  public static final String INDEX_NAME = ".index";

  private static final int FAN_OUT_DIGITS = 2;

  private final Path directory;
  private final AtomicReferenceArray<@Nullable Path> fanOuts = new AtomicReferenceArray<>(1 << 8);

  private SnapshotFiles(Path directory) {
    this.directory = directory;
  }

  /** The contents in the directory of a snapshot; nothing is read or created. */
  public static SnapshotFiles in(Path snapshot) {
    return new SnapshotFiles(snapshot.resolve(NAME));
  }

  /** The directory of the contents. */
  public Path directory() {
    return directory;
  }

  /** The place of a content, whether it is there or missing. */
  public Path path(ContentHash hash) {
    return parent(hash).resolve(hash.hex().substring(FAN_OUT_DIGITS));
  }

  /** The directory of a content. */
  private Path parent(ContentHash hash) {
    String hex = hash.hex();
    int number = Integer.parseInt(hex, 0, FAN_OUT_DIGITS, 16);
    Path parent = fanOuts.get(number);
    if (parent == null) {
      parent = directory.resolve(hex.substring(0, FAN_OUT_DIGITS));
      fanOuts.set(number, parent);
    }
    return parent;
  }

  /**
   * The file of a content; null if it is missing. Its bytes are not read.
   *
   * @throws IOException if it is not a regular file, or a directory on the way to it is a link or
   *     not a directory
   */
  public @Nullable Path find(ContentHash hash) throws IOException {
    Path file = path(hash);
    Path snapshot = Objects.requireNonNull(directory.getParent());
    Path parent = Objects.requireNonNull(file.getParent());
    for (Path at : List.of(snapshot, directory, parent)) {
      if (RegularFiles.directory(at) == null) {
        return null;
      }
    }
    return RegularFiles.file(file);
  }

  /**
   * The hashes of the contents that are there, by the names of their files: much faster than
   * {@link #find} for each. Types and bytes are not checked.
   *
   * @throws IOException if a directory is a link, or cannot be read
   */
  public Set<ContentHash> names() throws IOException {
    Set<ContentHash> names = new HashSet<>();
    if (RegularFiles.directory(directory) == null) {
      return names;
    }
    HexFormat digits = HexFormat.of();
    for (int number = 0; number < fanOuts.length(); number++) {
      String start = digits.toHexDigits((byte) number);
      Path fanOut = directory.resolve(start);
      if (RegularFiles.directory(fanOut) == null) {
        continue;
      }
      try (DirectoryStream<Path> files = Files.newDirectoryStream(fanOut)) {
        for (Path file : files) {
          ContentHash hash = ContentHash.tryParseHex(start + file.getFileName());
          if (hash != null) {
            names.add(hash);
          }
        }
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
    }
    return names;
  }

  /**
   * Copies a content to a stream, and checks it; after an exception the stream may have received a
   * different content.
   *
   * @throws NoSuchFileException if it is missing
   * @throws IOException if its length or hash differ, or it cannot be read
   */
  public void copy(BlobRef content, OutputStream out) throws IOException {
    Path file = find(content.blob());
    if (file == null) {
      throw new NoSuchFileException(path(content.blob()).toString());
    }
    BlobRef found = RegularFiles.measure(file, content.bytes() + 1, out);
    if (found.bytes() != content.bytes()) {
      throw new IOException("%s: expected %d bytes, found %s"
          .formatted(
              file,
              content.bytes(),
              found.bytes() > content.bytes() ? "more" : Long.toString(found.bytes())));
    }
    if (!found.blob().equals(content.blob())) {
      throw new IOException("%s: the bytes have the hash %s".formatted(file, found.blob()));
    }
  }

  /**
   * Opens a content. At its end, reading fails if the bytes have a different hash.
   *
   * @return null if it is missing
   * @throws IOException as {@link #find} does
   */
  public @Nullable InputStream open(ContentHash hash) throws IOException {
    Path file = find(hash);
    return file == null ? null : new CheckedContent(RegularFiles.open(file), file, hash);
  }

  /** Stores bytes, unless they are stored already, and returns their hash and length. */
  public BlobRef put(byte[] bytes) throws IOException {
    return put(new ByteArrayInputStream(bytes), bytes.length);
  }

  /**
   * Stores the bytes of a stream, unless they are stored already, and returns their hash and
   * length. A content that is stored is complete: it is written to a temporary file, and renamed.
   * It is not forced to disk, so that a loss of power may leave a content with different bytes,
   * which its hash shows.
   *
   * @param most the maximum number of bytes
   * @throws IOException if there are more; then nothing is stored
   */
  public BlobRef put(InputStream in, long most) throws IOException {
    LocalDisk.createDirectories(directory);
    Path temporary = directory.resolve(WholeFile.temporaryName());
    try {
      BlobRef stored;
      try (OutputStream out = OwnerOnly.newFile(temporary)) {
        stored = RegularFiles.measure(bytes -> in.read(bytes), new LimitedOutput(out, most));
      }
      place(temporary, stored);
      return stored;
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /** Renames a complete file to the place of its content, unless the content is there. */
  private void place(Path temporary, BlobRef content) throws IOException {
    ContentHash hash = content.blob();
    createFanOut(hash);
    if (holds(content)) {
      return;
    }
    PosixFileAttributeView view =
        Files.getFileAttributeView(temporary, PosixFileAttributeView.class);
    if (view != null) {
      view.setPermissions(PosixFilePermissions.fromString("r--------"));
    }
    Files.move(temporary, path(hash), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Creates the directory in which a content with this hash is stored, if it is missing. */
  public void createFanOut(ContentHash hash) throws IOException {
    Path parent = Objects.requireNonNull(path(hash).getParent());
    if (RegularFiles.directory(parent) == null) {
      try {
        OwnerOnly.createDirectory(parent);
      } catch (FileAlreadyExistsException e) {
        RegularFiles.directory(parent); // a different thread has created it
      }
    }
  }

  /** Whether a content is stored with the right bytes; those of a crashed writer may differ. */
  private boolean holds(BlobRef content) throws IOException {
    Path file = find(content.blob());
    return file != null
        && Files.size(file) == content.bytes()
        && RegularFiles.measure(file, content.bytes() + 1, OutputStream.nullOutputStream())
            .equals(content);
  }

  /** A stream that refuses more than a given number of bytes. */
  private static final class LimitedOutput extends OutputStream {
    private final OutputStream out;
    private final long most;
    private long left;

    LimitedOutput(OutputStream out, long most) {
      this.out = out;
      this.most = most;
      this.left = most;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      if (length > left) {
        throw new IOException("expected at most %d bytes, found more".formatted(most));
      }
      left -= length;
      out.write(bytes, from, length);
    }
  }
}
