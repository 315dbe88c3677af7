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
import org.jspecify.annotations.Nullable;

/**
 * Files in a directory that may come from somebody else, as that of a session: a link in it could
 * lead anywhere, and a pipe could keep its reader waiting, so both are refused.
 */
public final class RegularFiles {

  private static final int CHUNK = 1 << 16;

  /** Where bytes come from. */
  @FunctionalInterface
  public interface Source {
    /** Reads some bytes to the beginning of an array. Returns how many; -1 at the end. */
    int read(byte[] bytes) throws IOException;
  }

  private RegularFiles() {}

  /** The file, or null if there is none. */
  public static @Nullable Path file(Path file) throws IOException {
    BasicFileAttributes attributes = attributes(file);
    if (attributes != null && !attributes.isRegularFile()) {
      throw refused(file, attributes, "regular file");
    }
    return attributes == null ? null : file;
  }

  /** The directory, or null if there is none. */
  public static @Nullable Path directory(Path directory) throws IOException {
    BasicFileAttributes attributes = attributes(directory);
    if (attributes != null && !attributes.isDirectory()) {
      throw refused(directory, attributes, "directory");
    }
    return attributes == null ? null : directory;
  }

  /** Opens a file that is not a link. */
  public static InputStream open(Path file) throws IOException {
    return Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * The bytes of a file, which may be a link; null when there are more than so many, of which no
   * more are read than find that out.
   */
  public static byte @Nullable [] read(Path file, int maxBytes) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      // a pipe tells no size, and a file may grow
      byte[] bytes = Files.size(file) > maxBytes ? null : in.readNBytes(maxBytes + 1);
      return bytes == null || bytes.length > maxBytes ? null : bytes;
    }
  }

  /** Copies a file that is not a link, whole or not at all. */
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
   * The hash and the length of a file's bytes, which are copied on the way.
   *
   * @param most how many bytes are read, even if there are more
   */
  public static BlobRef measure(Path file, long most, OutputStream copy) throws IOException {
    try (InputStream in = open(file)) {
      return measure(new Beginning(in, most), copy);
    }
  }

  /** The hash and the length of all bytes of a source, which are copied on the way. */
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

  /** The refusal of a member that is not what it should be. */
  public static IOException refused(Path member, BasicFileAttributes attributes, String expected) {
    String found = attributes.isSymbolicLink()
        ? "a symbolic link, which is not followed in a session's directory"
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

  /** Not more of a stream than some bytes. */
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
