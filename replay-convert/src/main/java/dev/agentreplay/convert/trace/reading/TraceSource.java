package dev.agentreplay.convert.trace.reading;

import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * The file or directory that is imported. Each file that a reader uses is attached first: its
 * length and hash are in the header of the session, and only the bytes that were hashed are read,
 * so that a file that grows meanwhile is imported as it was. Not safe for use by several threads.
 */
public final class TraceSource {

  /** The maximum length of a document that is read as a whole, in bytes. */
  public static final int MAX_DOCUMENT_BYTES = 256 << 20;

  private static final int BUFFER_BYTES = 1 << 16;
  private static final String GZIP = "\u001f\u008b";
  private static final String ZSTD = "(\u00b5/\u00fd";

  /** A file that is attached. */
  private record Attached(Path path, String name, long bytes, ContentHash hash) {
    JsonObject toJson() {
      return JsonObject.of("bytes", bytes, "name", name, "sha256", hash.toString());
    }
  }

  private final TraceFormat format;
  private final Path path;
  private final List<Attached> files = new ArrayList<>();

  /** Creates a source. A file is attached at once. */
  public TraceSource(TraceFormat format, Path path) throws IOException {
    this.format = format;
    this.path = path;
    if (!Files.isDirectory(path)) {
      attach(path, String.valueOf(path.getFileName()));
    }
  }

  /** The format of the source. */
  public TraceFormat format() {
    return format;
  }

  /** The file or directory. */
  public Path path() {
    return path;
  }

  /** The name of the file or directory without the end that names its type. */
  public String name() {
    String name = String.valueOf(path.toAbsolutePath().normalize().getFileName());
    int dot = name.indexOf('.', 1);
    return dot < 0 ? name : name.substring(0, dot);
  }

  /**
   * Attaches a file, which is read once to hash it. All files are attached before the first session
   * begins.
   *
   * @param name the name of the file in the header, relative to the source
   */
  public void attach(Path file, String name) throws IOException {
    MessageDigest digest = ContentHash.newDigest();
    long bytes = 0;
    try (InputStream in = Files.newInputStream(file)) {
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
        bytes += read;
      }
    }
    files.add(new Attached(file, name, bytes, ContentHash.of(digest.digest())));
  }

  /** The names of the attached files, in the order in which they were attached. */
  public List<String> names() {
    return files.stream().map(Attached::name).toList();
  }

  /** The value of the member {@code imported_from} of the header. */
  public JsonObject origin() {
    return JsonObject.of(
        "files",
        JsonArray.copyOf(files.stream().map(Attached::toJson).toList()),
        "format",
        format.id());
  }

  /**
   * Opens the only or first file, and decompresses it if it is compressed with gzip or Zstandard.
   * Reading it to the end fails if its bytes are no longer those that were hashed.
   */
  public InputStream open() throws IOException {
    return open(files.get(0).name());
  }

  /** Opens an attached file, as {@link #open()} does. */
  public InputStream open(String name) throws IOException {
    return decompressed(openRaw(name));
  }

  /** Opens an attached file without decompressing it. */
  public InputStream openRaw(String name) throws IOException {
    for (Attached file : files) {
      if (file.name().equals(name)) {
        return new Checked(file);
      }
    }
    throw new IllegalArgumentException("not attached: " + name);
  }

  /** The beginning of the only or first file. */
  public SourceHead head() throws IOException {
    return SourceHead.read(files.get(0).path());
  }

  /** Opens a file for a look at its first bytes. */
  static InputStream peek(Path file) throws IOException {
    return decompressed(Files.newInputStream(file));
  }

  private static InputStream decompressed(InputStream raw) throws IOException {
    BufferedInputStream in = new BufferedInputStream(raw, BUFFER_BYTES);
    in.mark(BUFFER_BYTES);
    byte[] start = in.readNBytes(ZSTD.length());
    in.reset();
    SourceHead head = new SourceHead(start, null, List.of());
    if (head.startsWith(GZIP)) {
      return new GZIPInputStream(in, BUFFER_BYTES);
    }
    return head.startsWith(ZSTD) ? Zstandard.open(in) : in;
  }

  /**
   * Reads the only or first file as a JSON document.
   *
   * @throws IOException if it is longer than {@link #MAX_DOCUMENT_BYTES}, or is not JSON; the
   *     message names the position
   */
  public JsonValue document() throws IOException {
    return document(files.get(0).name());
  }

  /** Reads an attached file as a JSON document, as {@link #document()} does. */
  public JsonValue document(String name) throws IOException {
    byte[] bytes;
    try (InputStream in = open(name)) {
      bytes = in.readNBytes(MAX_DOCUMENT_BYTES + 1);
    }
    if (bytes.length > MAX_DOCUMENT_BYTES) {
      throw new IOException(
          "%s: longer than %,d bytes, the limit of a document".formatted(name, MAX_DOCUMENT_BYTES));
    }
    return Documents.parse(bytes, name);
  }

  /** The bytes of a file that were hashed, which are hashed again while they are read. */
  private static final class Checked extends FilterInputStream {
    private final Attached file;
    private final MessageDigest digest = ContentHash.newDigest();
    private long left;
    private boolean isChecked;

    Checked(Attached file) throws IOException {
      super(Files.newInputStream(file.path()));
      this.file = file;
      this.left = file.bytes();
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      int read = read(one, 0, 1);
      return read < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int from, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      int read = left == 0 ? -1 : in.read(buffer, from, (int) Math.min(length, left));
      if (read > 0) {
        digest.update(buffer, from, read);
        left -= read;
      }
      if (read < 0 || left == 0) {
        check();
      }
      return read;
    }

    private void check() throws IOException {
      if (isChecked) {
        return;
      }
      isChecked = true;
      if (left > 0 || !ContentHash.of(digest.digest()).equals(file.hash())) {
        throw new IOException(file.name() + ": it changed while it was read");
      }
    }

    @Override
    public long skip(long bytes) throws IOException {
      long skipped = 0;
      byte[] buffer = new byte[BUFFER_BYTES];
      while (skipped < bytes) {
        int read = read(buffer, 0, (int) Math.min(buffer.length, bytes - skipped));
        if (read < 0) {
          break;
        }
        skipped += read;
      }
      return skipped;
    }

    @Override
    public boolean markSupported() {
      return false;
    }
  }
}
