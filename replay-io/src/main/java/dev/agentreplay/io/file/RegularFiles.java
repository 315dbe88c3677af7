package dev.agentreplay.io.file;

import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads files from a directory whose content is not trusted, such as that of a session. Symbolic
 * links, which may lead anywhere, and pipes, which may block the reader, are refused.
 */
public final class RegularFiles {

  private static final int CHUNK = 1 << 16;

  /** A source of bytes. */
  @FunctionalInterface
  public interface Source {
    /** Reads bytes into an array, from its beginning. Returns their number; -1 at the end. */
    int read(byte[] bytes) throws IOException;
  }

  private RegularFiles() {}

  /**
   * The file, or null if it does not exist.
   *
   * @throws IOException if it is not a regular file
   */
  public static @Nullable Path file(Path file) throws IOException {
    BasicFileAttributes attributes = attributes(file);
    if (attributes != null && !attributes.isRegularFile()) {
      throw refused(file, attributes, "regular file");
    }
    return attributes == null ? null : file;
  }

  /**
   * The directory, or null if it does not exist.
   *
   * @throws IOException if it is not a directory
   */
  public static @Nullable Path directory(Path directory) throws IOException {
    BasicFileAttributes attributes = attributes(directory);
    if (attributes != null && !attributes.isDirectory()) {
      throw refused(directory, attributes, "directory");
    }
    return attributes == null ? null : directory;
  }

  /** Opens a file, which must not be a symbolic link. */
  public static InputStream open(Path file) throws IOException {
    return Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * The bytes of a file, which may be a symbolic link; null if there are more than
   * {@code maxBytes}. At most {@code maxBytes + 1} bytes are read.
   */
  public static byte @Nullable [] read(Path file, int maxBytes) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return read(in, Files.size(file), maxBytes);
    }
  }

  /**
   * Reads the bytes of a file; null if there are more than {@code maxBytes}.
   *
   * @param size the size that the file states: a pipe has none, and a file may grow or shrink
   */
  static byte @Nullable [] read(InputStream in, long size, int maxBytes) throws IOException {
    if (size > maxBytes) {
      return null;
    }
    byte[] bytes = new byte[(int) size];
    int length = 0;
    while (length < bytes.length) {
      // the stream allocates a buffer as long as the requested range
      int read = in.read(bytes, length, Math.min(CHUNK, bytes.length - length));
      if (read < 0) {
        return Arrays.copyOf(bytes, length);
      }
      length += read;
    }
    byte[] more = in.readNBytes(maxBytes + 1 - length);
    if (length + more.length > maxBytes) {
      return null;
    } else if (more.length > 0) {
      bytes = Arrays.copyOf(bytes, length + more.length);
      System.arraycopy(more, 0, bytes, length, more.length);
    }
    return bytes;
  }

  /**
   * Copies a file, which must not be a symbolic link, atomically; an existing target is replaced.
   */
  public static void copy(Path from, Path to) throws IOException {
    if (file(from) == null) {
      throw new NoSuchFileException(from.toString());
    }
    try (InputStream in = open(from);
        WholeFile copy = WholeFile.replacing(to)) {
      in.transferTo(copy.out());
      copy.commit();
    }
  }

  /**
   * Computes the hash and the length of a file's bytes, and copies them to a stream.
   *
   * @param most the maximum number of bytes to read, even if the file has more
   */
  public static BlobRef measure(Path file, long most, OutputStream copy) throws IOException {
    try (InputStream in = open(file)) {
      return measure(new Beginning(in, most), copy);
    }
  }

  /** Computes the hash and the length of all bytes of a source, and copies them to a stream. */
  public static BlobRef measure(Source source, OutputStream copy) throws IOException {
    MessageDigest digest = ContentHash.newDigest();
    byte[] chunk = new byte[CHUNK];
    long bytes = 0;
    for (int read = source.read(chunk); read >= 0; read = source.read(chunk)) {
      digest.update(chunk, 0, read);
      copy.write(chunk, 0, read);
      bytes += read;
    }
    return BlobRef.of(ContentHash.of(digest.digest()), bytes);
  }

  /** The exception for an entry of a directory that is not of the expected type. */
  public static IOException refused(Path member, BasicFileAttributes attributes, String expected) {
    String found = attributes.isSymbolicLink()
        ? "a symbolic link, which is not followed"
        : attributes.isDirectory()
            ? "a directory"
            : attributes.isRegularFile() ? "a regular file" : "a special file";
    return new IOException("%s: expected a %s, found %s"
        .formatted(PlainText.escaped(member.toString()), expected, found));
  }

  static @Nullable BasicFileAttributes attributes(Path path) throws IOException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** The beginning of a stream: at most a given number of bytes. */
  private static final class Beginning implements Source {
    private final InputStream in;
    private long left;

    Beginning(InputStream in, long bytes) {
      this.in = in;
      this.left = bytes;
    }

    @Override
    public int read(byte[] bytes) throws IOException {
      int read = left == 0 ? -1 : in.read(bytes, 0, (int) Math.min(bytes.length, left));
      left -= Math.max(read, 0);
      return read;
    }
  }
}
