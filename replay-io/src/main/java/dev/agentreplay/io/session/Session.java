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
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a session is kept: its log, and what belongs to it where there is some. Immutable; safe for
 * use by several threads.
 *
 * @param log the log, which may be compressed with gzip; when it is in several files, the first
 * @param receipt the receipt, or null
 * @param envelope the signed statement that the receipt is that of the log, or null
 * @param summary what the session did, for people, or null
 * @param blobs the directory of the values that are too large for the log, or null
 * @param readerOptions the limits within which the log is read by all that reads this session: a
 *     verifier, a comparison, the maker of a receipt
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

  /** The name of the summary in a session's directory. */
  public static final String SUMMARY_NAME = "PR_SUMMARY.md";

  /** The name of the directory of files that a session began with, in its directory. */
  public static final String SNAPSHOT_NAME = "snapshot";

  /** The name of the directory of blobs in a session's directory. */
  public static final String BLOBS_NAME = "blobs";

  /** Checks for null. */
  public Session {
    Objects.requireNonNull(log, "log");
    Objects.requireNonNull(readerOptions, "readerOptions");
  }

  /** A log and its receipt, and nothing else. */
  public Session(Path log, @Nullable Path receipt) {
    this(log, receipt, null, null, null, ReaderOptions.defaults());
  }

  /**
   * Finds the session at a path: a directory that holds {@value #LOG_NAME} or
   * {@value #COMPRESSED_LOG_NAME}, or a log. Receipt, envelope, summary and blobs are those beside
   * a log of that name. Links are followed to the path itself, not to what is in the directory: as
   * it is now, for who may write to the directory may change it before it is read.
   *
   * @throws NoSuchFileException if there is no log
   * @throws IOException if one of them is a link, a pipe or else not what it should be, or the
   *     directory holds two logs: both of these, or the compressed one and segments of the other
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
    refuseSeveralLogs(LogSegments.directory(path)); // whose receipt would it be?
    return beside(path);
  }

  private static Path logIn(Path directory) throws IOException {
    refuseSeveralLogs(directory);
    Path log = RegularFiles.file(directory.resolve(LOG_NAME));
    Path compressed = RegularFiles.file(directory.resolve(COMPRESSED_LOG_NAME));
    if (log == null && compressed == null) {
      throw new NoSuchFileException(directory.toString(), null, "directory holds no " + LOG_NAME);
    }
    return log == null ? Objects.requireNonNull(compressed) : log;
  }

  /** A directory has one log: the compressed one is alone, without segments of the other. */
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

  /** This session with another receipt, or without one, and without an envelope. */
  public Session withReceipt(@Nullable Path newReceipt) {
    return new Session(log, newReceipt, null, summary, blobs, readerOptions);
  }

  /** This session with another envelope of its receipt, or without one. */
  public Session withEnvelope(@Nullable Path newEnvelope) {
    return new Session(log, receipt, newEnvelope, summary, blobs, readerOptions);
  }

  /** This session with its log read within other limits, as one with very long lines. */
  public Session withReaderOptions(ReaderOptions newReaderOptions) {
    return new Session(log, receipt, envelope, summary, blobs, newReaderOptions);
  }

  /** Opens the log, to be read within {@link #readerOptions}. */
  public ReplayReader reader() throws IOException {
    return ReplayReader.open(log, readerOptions);
  }

  /**
   * The files that the log is in now: {@link #log}, and {@code REPLAY.jsonl.2} and so on beside it
   * when it was rotated. A compressed log is in one.
   *
   * @throws NoSuchFileException if one of them is missing while a later one is there
   * @throws IOException if one of them is a link, a directory or a special file
   */
  public List<Path> segments() throws IOException {
    return LogSegments.find(log);
  }

  /**
   * Whether a writer has the log open now, in this process or another one: then its last line may
   * be incomplete, and there will be more. Asking does not disturb the writer. False also when it
   * cannot be told, because the lock of the log may not be read.
   */
  public boolean isBeingWritten() {
    return LocalDisk.isLocked(log);
  }

  /**
   * Opens the bytes of the log: those of all its files, one after the other, and those of a
   * compressed one decompressed.
   */
  public InputStream openLog() throws IOException {
    return LogSegments.open(log);
  }

  /**
   * The hash of the log's bytes, of all its files, decompressed if need be, which receipts call
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
   * The id of the session: the first that a line of the log names. Null when none does.
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
   * As {@link #resolve(Content, JsonLimits)}, within limits that hold all that is recorded: a blob
   * of up to 1 GiB. Memory is several times its length.
   */
  public @Nullable JsonValue resolve(Content content) throws IOException {
    return resolve(content, BlobStore.LIMITS);
  }

  /**
   * The value of a content: from the log, or else from the blob that it refers to. Null when
   * neither is there, as in a log that was passed on by itself.
   *
   * @throws IOException if the blob cannot be read, has not the length and the hash that the
   *     content says, is not JSON, or is beyond the limits
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
   * The file of a blob, for who wants its bytes as they are. Null when it is not there. Its name
   * says what its hash should be: nothing is read.
   *
   * @throws IOException if there is a link, a directory or a special file in its place
   */
  public @Nullable Path blob(ContentHash name) throws IOException {
    return blobs == null ? null : new BlobStore(blobs).find(name);
  }
}
