package dev.agentreplay.records.store;

import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.model.text.Surrogates;
import dev.agentreplay.records.RecordHash;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A directory of texts. Each is a file of its UTF-8 bytes, named by the 64 hexadecimal digits of
 * their SHA-256. A missing directory has no texts, and is created for the first one.
 *
 * <p>The directory is not trusted: a text is used only if its bytes have the hash that its file is
 * named by, and links and special files are refused. Files are written whole or not at all, forced
 * to disk (fsync), and never replaced. Safe for use by several threads and processes.
 */
public final class TextDirectory implements RecordTexts {

  /** The maximum length of a text in bytes: 64 MiB. */
  public static final int MAX_BYTES = 64 << 20;

  /** The name of the directory that is next to a record, or in a store. */
  public static final String NAME = "content";

  private final Disk disk;
  private final Path directory;

  private TextDirectory(Disk disk, Path directory) {
    this.disk = disk;
    this.directory = Objects.requireNonNull(directory, "directory");
  }

  /** Returns the texts in a directory, which may be missing. Reads nothing. */
  public static TextDirectory of(Path directory) {
    return of(LocalDisk.INSTANCE, directory);
  }

  /** Returns the texts in a directory, and writes new ones to a disk. */
  static TextDirectory of(Disk disk, Path directory) {
    return new TextDirectory(disk, directory);
  }

  /** The directory. */
  public Path directory() {
    return directory;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IOException if it cannot be read, is longer than {@link #MAX_BYTES}, or is not UTF-8;
   *     or if the file or the directory is a link or of another unexpected type
   */
  @Override
  public @Nullable String text(RecordHash hash) throws IOException {
    Path file = find(hash);
    return file == null ? null : decode(file, read(file, hash));
  }

  /**
   * Stores a text, unless the directory has it already.
   *
   * @return its hash
   * @throws IllegalArgumentException if the text has a lone surrogate, and therefore no UTF-8 form,
   *     or is longer than {@link #MAX_BYTES}
   * @throws AlteredTextException if the directory has different bytes by this hash
   * @throws IOException if it cannot be written; then the directory has it whole or not at all
   */
  public RecordHash put(String text) throws IOException {
    byte[] bytes = encode(text);
    RecordHash hash = RecordHash.of(ContentHash.sha256(bytes));
    if (RegularFiles.directory(directory) == null) {
      disk.createDirectory(directory);
    }
    if (find(hash) == null) {
      try {
        WholeFile.create(disk, file(hash), bytes);
        return hash;
      } catch (FileAlreadyExistsException e) { // written by another thread meanwhile
        if (find(hash) == null) {
          throw e;
        }
      }
    }
    read(file(hash), hash);
    // its writer may have crashed before it forced the directory
    disk.forceDirectory(directory);
    return hash;
  }

  private @Nullable Path find(RecordHash hash) throws IOException {
    return hash.digest() == null || RegularFiles.directory(directory) == null
        ? null
        : RegularFiles.file(file(hash));
  }

  private Path file(RecordHash hash) {
    return directory.resolve(hash.text());
  }

  private static byte[] read(Path file, RecordHash hash) throws IOException {
    byte[] bytes;
    try (InputStream in = RegularFiles.open(file)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    }
    if (bytes.length > MAX_BYTES) {
      throw new IOException("%s: expected a text of at most %,d bytes, found more"
          .formatted(PlainText.escaped(file.toString()), MAX_BYTES));
    }
    if (!ContentHash.sha256(bytes).equals(hash.digest())) {
      throw new AlteredTextException(PlainText.escaped(file.toString()), hash);
    }
    return bytes;
  }

  private static byte[] encode(String text) {
    int lone = Surrogates.indexOfLone(text);
    if (lone >= 0) {
      throw Surrogates.lone(text, lone);
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "expected a text of at most %,d bytes, found %,d".formatted(MAX_BYTES, bytes.length));
    }
    return bytes;
  }

  /** Decodes bytes, and refuses those that a decoder would replace. */
  private static String decode(Path file, byte[] bytes) throws IOException {
    CharsetDecoder decoder = StandardCharsets.UTF_8
        .newDecoder()
        .onMalformedInput(CodingErrorAction.REPORT)
        .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length);
    CoderResult result = decoder.decode(in, out, true);
    if (result.isError()) {
      throw new IOException("%s: byte %d: expected UTF-8, found 0x%02x"
          .formatted(
              PlainText.escaped(file.toString()), in.position(), bytes[in.position()] & 0xff));
    }
    return out.flip().toString();
  }
}
