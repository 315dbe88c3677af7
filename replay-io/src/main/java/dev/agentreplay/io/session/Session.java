package dev.agentreplay.io.session;

import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.log.LogSegments;
import dev.agentreplay.io.log.ReaderOptions;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.workspace.SnapshotEntry;
import dev.agentreplay.io.workspace.SnapshotFiles;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The files of a session: its log, and the optional files that belong to it. Immutable; safe for
 * use by several threads. {@link #publicCheckpoint} and {@link #acceptedFile} find those that are
 * not components.
 *
 * @param log the log, which may be compressed with gzip; if it was rotated, its first segment
 * @param receipt the receipt, or null
 * @param envelope the DSSE envelope of the receipt, a signed statement that the receipt belongs to
 *     the log, or null
 * @param summary the summary of the session for people, or null
 * @param blobs the directory of the values that are too large for the log, or null
 * @param readerOptions the limits within which this session's log is read, also by a verifier, a
 *     comparison and the computation of a receipt
 */
public record Session(
    Path log,
    @Nullable Path receipt,
    @Nullable Path envelope,
    @Nullable Path summary,
    @Nullable Path blobs,
    ReaderOptions readerOptions) {

  /** The name of the log in a session's directory. */
  public static final String LOG_NAME = "REPLAY.jsonl";

  /** The name of the log in a session's directory when it is compressed. */
  public static final String COMPRESSED_LOG_NAME = "REPLAY.jsonl.gz";

  /** The name of the receipt in a session's directory. */
  public static final String RECEIPT_NAME = "RECEIPT.json";

  /** The name of the receipt's envelope in a session's directory. */
  public static final String ENVELOPE_NAME = "RECEIPT.dsse.json";

  /** The name of the statement of the public tree in a session's directory. */
  public static final String PUBLIC_CHECKPOINT_NAME = "PUBLIC_CHECKPOINT.json";

  /** The name of the summary in a session's directory. */
  public static final String SUMMARY_NAME = "PR_SUMMARY.md";

  /** The name of the file of accepted divergences in a session's directory. */
  public static final String ACCEPTED_NAME = "ACCEPTED.json";

  /** The name of the account of an import. */
  public static final String IMPORT_NAME = "IMPORT.json";

  private static final String ACCEPTED_SUFFIX = ".accepted.json";

  /**
   * The name of the snapshot directory in a session's directory: the files with which the session
   * began.
   */
  public static final String SNAPSHOT_NAME = "snapshot";

  /** The name of the directory of blobs in a session's directory. */
  public static final String BLOBS_NAME = "blobs";

  /** Checks for null. */
  public Session {
    Objects.requireNonNull(log, "log");
    Objects.requireNonNull(readerOptions, "readerOptions");
  }

  /** Creates a session of a log and its receipt only. */
  public Session(Path log, @Nullable Path receipt) {
    this(log, receipt, null, null, null, ReaderOptions.defaults());
  }

  /**
   * Finds the session at a path: a directory that contains {@value #LOG_NAME} or
   * {@value #COMPRESSED_LOG_NAME}, or a log. A log with one of these names belongs to the receipt,
   * envelope, summary and blobs in its directory; a log with another name is a session by itself.
   * The path itself may be a symbolic link; entries of the directory may not, because another user
   * may be able to write to the directory. They are checked now, and may change before they are
   * read.
   *
   * @throws NoSuchFileException if there is no log
   * @throws IOException if one of the files is a link, a pipe or of another unexpected type, or the
   *     directory has two logs: a compressed one, and an uncompressed one or a segment of it
   */
  public static Session open(Path path) throws IOException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString(), null, "no such file or directory");
    }
    if (Files.isDirectory(path)) {
      return beside(logIn(path));
    }
    if (!hasLogName(path)) {
      return new Session(path, null);
    }
    refuseSeveralLogs(LogSegments.directory(path)); // the receipt would be ambiguous
    return beside(path);
  }

  private static Path logIn(Path directory) throws IOException {
    refuseSeveralLogs(directory);
    Path log = RegularFiles.file(directory.resolve(LOG_NAME));
    Path compressed = RegularFiles.file(directory.resolve(COMPRESSED_LOG_NAME));
    if (log == null && compressed == null) {
      throw new NoSuchFileException(
          directory.toString(),
          null,
          "directory holds no " + LOG_NAME + "; expected a session directory or a log");
    }
    return log == null ? Objects.requireNonNull(compressed) : log;
  }

  /** Fails if a directory has a compressed log and also an uncompressed one or a segment of it. */
  private static void refuseSeveralLogs(Path directory) throws IOException {
    if (!Files.exists(directory.resolve(COMPRESSED_LOG_NAME), LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    for (String name : LocalDisk.INSTANCE.names(directory)) {
      if (name.equals(LOG_NAME) || LogSegments.isLaterSegment(LOG_NAME, name)) {
        throw severalLogs(directory, name);
      }
    }
  }

  private static IOException severalLogs(Path directory, String other) {
    return new IOException("%s: expected one log, found both %s and %s"
        .formatted(PlainText.escaped(directory.toString()), other, COMPRESSED_LOG_NAME));
  }

  private static Session beside(Path log) throws IOException {
    return new Session(
        log,
        RegularFiles.file(log.resolveSibling(RECEIPT_NAME)),
        RegularFiles.file(log.resolveSibling(ENVELOPE_NAME)),
        RegularFiles.file(log.resolveSibling(SUMMARY_NAME)),
        RegularFiles.directory(log.resolveSibling(BLOBS_NAME)),
        ReaderOptions.defaults());
  }

  /**
   * The statement of the public tree of the log, from which published copies of the session can be
   * verified; null if there is none next to the log, or the log has a different name, and is a
   * session itself.
   *
   * @throws IOException if it is a link, a directory or a special file
   */
  public @Nullable Path publicCheckpoint() throws IOException {
    return hasLogName(log) ? RegularFiles.file(log.resolveSibling(PUBLIC_CHECKPOINT_NAME)) : null;
  }

  /**
   * The path of the file of accepted divergences, which may not exist: {@value #ACCEPTED_NAME} next
   * to the log, or {@code <log>.accepted.json} if the log has a different name, and is a session
   * itself.
   */
  public Path acceptedFile() {
    return log.resolveSibling(
        hasLogName(log) ? ACCEPTED_NAME : log.getFileName() + ACCEPTED_SUFFIX);
  }

  /** Whether a name is that of a file of accepted divergences, of any log. */
  public static boolean isAcceptedFile(String name) {
    return name.equals(ACCEPTED_NAME) || name.endsWith(ACCEPTED_SUFFIX);
  }

  /** This session with a different receipt, or without one, and without an envelope. */
  public Session withReceipt(@Nullable Path newReceipt) {
    return new Session(log, newReceipt, null, summary, blobs, readerOptions);
  }

  /** This session with a different envelope of its receipt, or without one. */
  public Session withEnvelope(@Nullable Path newEnvelope) {
    return new Session(log, receipt, newEnvelope, summary, blobs, readerOptions);
  }

  /** This session with different limits for reading its log, as for very long lines. */
  public Session withReaderOptions(ReaderOptions newReaderOptions) {
    return new Session(log, receipt, envelope, summary, blobs, newReaderOptions);
  }

  /** Opens the log and reads it within {@link #readerOptions}. */
  public ReplayReader reader() throws IOException {
    return ReplayReader.open(log, readerOptions);
  }

  /**
   * Opens the log like {@link #reader}, and reads each model call with its prompt in full, see
   * {@link ReplayReader#expandPrompts}.
   */
  public ReplayReader readerWithFullPrompts() throws IOException {
    ReplayReader reader = reader();
    reader.expandPrompts(this::resolve);
    return reader;
  }

  /**
   * The current segments of the log: {@link #log}, and if it was rotated {@code REPLAY.jsonl.2} and
   * so on next to it. A compressed log has one.
   *
   * @throws NoSuchFileException if a segment is missing while a later one exists
   * @throws IOException if a later segment is a link, a directory or a special file, or the log is
   *     compressed and has later segments
   */
  public List<Path> segments() throws IOException {
    return LogSegments.find(log);
  }

  /**
   * Whether a writer has locked the log now, in this process or a different one: then its last line
   * may be incomplete, and more lines may follow. The writer is not disturbed. Also false if this
   * cannot be determined because the lock file cannot be read.
   */
  public boolean isBeingWritten() {
    return LocalDisk.isLocked(log);
  }

  /**
   * Opens the bytes of the log: those of all its segments in order, or the decompressed bytes of a
   * compressed log.
   */
  public InputStream openLog() throws IOException {
    return LogSegments.open(log);
  }

  /**
   * The SHA-256 of the log's bytes in all segments, decompressed if necessary; receipts call it
   * {@code replay_hash}.
   */
  public ContentHash replayHash() throws IOException {
    MessageDigest digest = ContentHash.newDigest();
    try (InputStream in = new DigestInputStream(openLog(), digest)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return ContentHash.of(digest.digest());
  }

  /**
   * The first line of the log, which is its header; null if the log is empty.
   *
   * @throws ReplayFormatException if it is not an event
   */
  public @Nullable ReplayLine firstLine() throws IOException {
    try (ReplayReader reader = reader()) {
      return reader.read();
    }
  }

  /**
   * The id of the session: the first one that a line of the log states; null if no line states one.
   *
   * @throws ReplayFormatException if a line before it is not an event
   */
  public @Nullable String id() throws IOException {
    try (ReplayReader reader = reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        if (line.event().meta().sessionId() != null) {
          return line.event().meta().sessionId();
        }
      }
    }
    return null;
  }

  private static boolean hasLogName(Path path) {
    return path.endsWith(LOG_NAME) || path.endsWith(COMPRESSED_LOG_NAME);
  }

  /**
   * Returns the value of a content, as {@link #resolve(Content, JsonLimits)} does, within the
   * limits of a recorder: a blob of up to 1 GiB. It takes several times its length in memory.
   */
  public @Nullable JsonValue resolve(Content content) throws IOException {
    return resolve(content, BlobStore.LIMITS);
  }

  /**
   * Returns the value of a content: from the log, or else from the blob that the content refers to;
   * null if neither has it, as for a log that was copied without its blobs.
   *
   * @throws IOException if the blob cannot be read, differs from the length or the hash in the
   *     content, is not JSON, or exceeds the limits
   */
  public @Nullable JsonValue resolve(Content content, JsonLimits limits) throws IOException {
    BlobRef ref = content.blob();
    if (content.value() != null || ref == null || blobs == null) {
      return content.value();
    }
    if (content.hash() != null && !content.hash().equals(ref.blob())) {
      throw new IOException("the value has the hash %s, but the blob that it refers to has %s"
          .formatted(content.hash(), ref.blob()));
    }
    byte[] bytes = new BlobStore(blobs).read(ref, limits.maxBytes());
    try {
      return bytes == null ? null : JsonText.parse(bytes, 0, bytes.length, limits);
    } catch (JsonSyntaxException e) {
      throw new IOException(
          "%s: %s".formatted(blobs.resolve(BlobStore.fileName(ref.blob())), e.getMessage()), e);
    }
  }

  /**
   * The file of a blob, for callers that need its bytes; null if it is missing. Its name states its
   * hash; the file is not read.
   *
   * @throws IOException if it is a link, a directory or a special file
   */
  public @Nullable Path blob(ContentHash name) throws IOException {
    return blobs == null ? null : new BlobStore(blobs).find(name);
  }

  /**
   * Opens the content of a file that the session's snapshot has, or that a tool wrote while the
   * session was recorded; null if it is not stored, or the log is not in a session directory. At
   * the end of the content, reading fails if the bytes have a different hash.
   *
   * @throws IOException if the content is not a regular file, or cannot be opened
   */
  public @Nullable InputStream file(ContentHash hash) throws IOException {
    Path directory = directory();
    return directory == null
        ? null
        : SnapshotFiles.in(directory.resolve(SNAPSHOT_NAME)).open(hash);
  }

  /**
   * The directory of the session; null if the log has a different name, and is a session itself.
   */
  public @Nullable Path directory() {
    return hasLogName(log) ? log.toAbsolutePath().getParent() : null;
  }

  /**
   * The file in the session's directory at a location that its log states; null if it does not
   * exist.
   *
   * @throws IllegalArgumentException if the location is not a path within the directory of the
   *     session
   * @throws IOException if it is not a regular file, or a link leads to it
   */
  public @Nullable Path find(String location) throws IOException {
    SnapshotEntry.requirePath(location);
    Path at = directory();
    if (at == null) {
      return null;
    }
    String[] names = location.split("/", -1);
    for (int i = 0; i < names.length; i++) {
      at = child(at, names[i]);
      boolean isLast = i == names.length - 1;
      if ((isLast ? RegularFiles.file(at) : RegularFiles.directory(at)) == null) {
        return null;
      }
    }
    return at;
  }

  private static Path child(Path directory, String name) {
    try {
      Path child = directory.resolve(name);
      if (child.getNameCount() == directory.getNameCount() + 1 && child.startsWith(directory)) {
        return child;
      }
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    throw new IllegalArgumentException("not the name of a file: " + name); // as "C:" on Windows
  }
}
