package dev.agentreplay.convert.trace.reading;

import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The file or directory that is imported. Each file that a reader uses is attached first: its
 * length and hash are in the header of the session, and only the bytes that were hashed are read,
 * so that a file that grows meanwhile is imported as it was. Not safe for use by several threads.
 */
public final class TraceSource {

  /** The maximum length of a document that is read as a whole, in bytes. */
  public static final int MAX_DOCUMENT_BYTES = 256 << 20;

  /**
   * The maximum depth of a record or document: less than that of a value, because it is written as
   * a member of an event.
   */
  public static final int MAX_DEPTH = JsonValue.MAX_DEPTH - 100;

  /** The maximum number of files of a source, each of which is named in the header. */
  static final int MAX_FILES = 100_000;

  private static final int BUFFER_BYTES = 1 << 16;

  /** A file that is attached. */
  private record Attached(Path path, String name, long bytes, ContentHash hash) {
    JsonObject toJson() {
      return JsonObject.of("bytes", bytes, "name", name, "sha256", hash.toString());
    }
  }

  private final TraceFormat format;
  private final Path path;
  private final Map<String, Attached> files = new LinkedHashMap<>();
  private final List<SourceFault> faults = new ArrayList<>();

  /**
   * Creates a source. A file, which may be a link, is attached at once.
   *
   * @throws IOException if it cannot be read, or is neither a regular file nor a directory
   */
  public TraceSource(TraceFormat format, Path path) throws IOException {
    this.format = format;
    this.path = path;
    BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
    if (attributes.isRegularFile()) {
      add(read(path, String.valueOf(path.getFileName())));
    } else if (!attributes.isDirectory()) { // reading a pipe may block
      throw RegularFiles.refused(path, attributes, "regular file or directory");
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
    return SourceFiles.stem(String.valueOf(path.toAbsolutePath().normalize().getFileName()));
  }

  /**
   * Attaches a file next to the source or below it, which is read once to hash it. All files are
   * attached before the first session begins. A symbolic link, a file that is reached through one,
   * and a special file are not attached but reported as {@linkplain #faults faults}.
   *
   * @param name the name of the file in the header, relative to the source
   * @throws IOException if it cannot be read, or the source has too many files
   */
  public void attach(Path file, String name) throws IOException {
    if (files.size() == MAX_FILES) {
      throw new IOException(
          "%s: more than %,d files, the limit".formatted(path.getFileName(), MAX_FILES));
    }
    if (!SourceFiles.isFile(file) || isLinked(file)) {
      faults.add(new SourceFault(
          SourceFault.Kind.MISSING_FILE,
          SourcePlace.document(name),
          "not a regular file, or a symbolic link, which is not followed"));
      return;
    }
    add(read(file, name));
  }

  private void add(Attached file) throws IOException {
    if (files.putIfAbsent(file.name(), file) != null) {
      throw new IOException(file.name() + ": two files of the source have this name");
    }
  }

  /** Whether a directory between the source, or its parent, and a file is a link. */
  private boolean isLinked(Path file) {
    Path source = path.toAbsolutePath().normalize();
    Path beside = source.getParent();
    Path directory = file.toAbsolutePath().normalize().getParent();
    while (directory != null && !directory.equals(beside) && !directory.equals(source)) {
      if (Files.isSymbolicLink(directory)) {
        return true;
      }
      directory = directory.getParent();
    }
    return false;
  }

  private static Attached read(Path file, String name) throws IOException {
    MessageDigest digest = ContentHash.newDigest();
    long bytes = 0;
    try (InputStream in = Files.newInputStream(file)) {
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
        bytes += read;
      }
    }
    return new Attached(file, name, bytes, ContentHash.of(digest.digest()));
  }

  /** The faults of files that were not attached. */
  public List<SourceFault> faults() {
    return List.copyOf(faults);
  }

  /** The names of the attached files, in the order in which they were attached. */
  public List<String> names() {
    return List.copyOf(files.keySet());
  }

  /** The value of the member {@code imported_from} of the header. */
  public JsonObject origin() {
    return JsonObject.of(
        "files",
        JsonArray.copyOf(files.values().stream().map(Attached::toJson).toList()),
        "format",
        format.id());
  }

  /**
   * Opens the only or first file, and decompresses it if it is compressed with gzip or Zstandard.
   * Reading it to the end fails if its bytes are no longer those that were hashed. Reading fails
   * where it expands to more than 64 GiB, or, beyond 64 MiB, to more than 1,000 times its length.
   */
  public InputStream open() throws IOException {
    return open(first());
  }

  /** Opens an attached file, as {@link #open()} does. */
  public InputStream open(String name) throws IOException {
    return Decompression.open(openRaw(name), name);
  }

  /** Opens an attached file without decompressing it. */
  public InputStream openRaw(String name) throws IOException {
    Attached file = files.get(name);
    if (file == null) {
      throw new NoSuchFileException(name, null, "not a file of the source");
    }
    return new Checked(file);
  }

  /** The beginning of the only or first file. */
  public SourceHead head() throws IOException {
    return SourceHead.of(this, first());
  }

  /** Opens a file for a look at its first bytes. */
  static InputStream peek(Path file) throws IOException {
    return Decompression.open(Files.newInputStream(file), String.valueOf(file.getFileName()));
  }

  /**
   * Reads the only or first file as a JSON document.
   *
   * @throws IOException if it is longer than {@link #MAX_DOCUMENT_BYTES}, is not JSON, or is nested
   *     deeper than {@link #MAX_DEPTH}; the message names the position
   */
  public JsonValue document() throws IOException {
    return document(first());
  }

  private String first() throws IOException {
    if (files.isEmpty()) {
      throw new IOException(path.getFileName() + ": no file of the directory is part of a trace");
    }
    return files.keySet().iterator().next();
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
  private static final class Checked extends ReadOnceStream {
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
    public int available() throws IOException {
      return (int) Math.min(left, in.available());
    }
  }
}
