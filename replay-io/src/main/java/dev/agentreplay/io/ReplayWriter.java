package dev.agentreplay.io;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.EncodedLine;
import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.EventRules;
import dev.agentreplay.model.Finding;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.Position;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.internal.Sha256;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes a log.
 *
 * <p>When {@link #emit} returns, the whole line is with the operating system: it survives the death
 * of the process, not that of the machine. Lines stand in the order in which they were written,
 * whole, one write each. Safe for use by several threads.
 *
 * <p>When a write fails, bytes of the line may be in the file; the writer refuses all further
 * events, so that nothing is ever written behind a torn line.
 */
public final class ReplayWriter implements Closeable {

  private final Path file;
  private final OutputStream out;
  private final WriterOptions options;
  private final LineEncoder encoder;
  private final MessageDigest digest = Sha256.newDigest();
  private final ReentrantLock lock = new ReentrantLock();

  private long lines;
  private long bytes;
  private long toolCalls;
  private long latencyMillis;
  private boolean ended;
  private boolean closed;
  private @Nullable IOException failure;
  private @Nullable WrittenEvent header;

  /** A writer to a stream; tests hand it one that fails. */
  ReplayWriter(
      Path file, OutputStream out, WriterOptions options, Canonicalization canonicalization) {
    this.file = file;
    this.out = out;
    this.options = options;
    this.encoder = new LineEncoder(options.dialect(), canonicalization);
  }

  /** Creates a log with default options. */
  public static ReplayWriter create(Path file, ReplayHeader header) throws IOException {
    return create(file, header, WriterOptions.defaults());
  }

  /**
   * Creates a log, and writes its header, in the version of the dialect.
   *
   * @throws FileAlreadyExistsException if the file exists
   * @throws IllegalArgumentException if the header is of another version than
   *     {@link ReplayHeader#VERSION} or the dialect's, lacks what the dialect demands, or names a
   *     canonicalization that is not known
   */
  public static ReplayWriter create(Path file, ReplayHeader header, WriterOptions options)
      throws IOException {
    Objects.requireNonNull(options, "options");
    String version = options.dialect().version();
    if (!header.version().equals(ReplayHeader.VERSION) && !header.version().equals(version)) {
      throw new IllegalArgumentException("version must be " + version + ": " + header.version());
    }
    Canonicalization canonicalization = Canonicalization.of(header.canonicalization());
    if (canonicalization == null) {
      throw new IllegalArgumentException(
          "canonicalization is not known: " + header.canonicalization());
    }
    // unlike those of a channel, its writes are not broken off by an interrupt of the thread
    OutputStream out =
        Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND);
    ReplayWriter writer = new ReplayWriter(file, out, options, canonicalization);
    try {
      writer.header = writer.write(header.withVersion(version));
      return writer;
    } catch (IOException | RuntimeException e) {
      try (writer) {
        Files.delete(file);
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /**
   * Writes an event. A time that it leaves out is filled in, and so are the hashes of the values it
   * holds, the default policy of a session, and at its end the totals and the default confidence:
   * what the specification of the dialect has of these.
   *
   * @throws IllegalArgumentException if the event is a header, or an unknown event without a type
   *     or with a known one, breaks a rule of {@link EventRules}, lacks what the dialect demands,
   *     gives a hash or a total that is not the right one, or cannot be read again because it is
   *     too long or nested too deep; nothing is written
   * @throws IllegalStateException if the writer is closed, or the session has ended; nothing is
   *     written
   * @throws IOException if the write failed, now or earlier
   */
  public WrittenEvent emit(ReplayEvent event) throws IOException {
    if (event instanceof ReplayHeader) {
      throw new IllegalArgumentException("the header was written when the log was created");
    }
    if (event instanceof UnknownEvent unknown
        && (unknown.type().isEmpty() || EventKind.ofTag(unknown.type()) != EventKind.UNKNOWN)) {
      throw new IllegalArgumentException(
          "an unknown event must have a type, and not a known one: \"" + unknown.type() + "\"");
    }
    return write(event);
  }

  /** The header as it was written. */
  WrittenEvent header() {
    return Objects.requireNonNull(header, "header");
  }

  /** The dialect that is written. */
  Dialect dialect() {
    return options.dialect();
  }

  /** The file that is written. */
  public Path file() {
    return file;
  }

  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      closed = true;
      out.close();
    } finally {
      lock.unlock();
    }
  }

  /** The hash of the bytes that were written so far. */
  public ContentHash replayHash() {
    lock.lock();
    try {
      return ContentHash.of(Sha256.copyOf(digest).digest());
    } finally {
      lock.unlock();
    }
  }

  /** Fails as {@link #emit} would fail now, but for what comes of writing. Writes nothing. */
  void check(ReplayEvent event) throws IOException {
    Timestamp now = Timestamp.of(options.clock().instant());
    lock.lock();
    try {
      encoder.encode(checked(event), now);
    } finally {
      lock.unlock();
    }
  }

  private WrittenEvent write(ReplayEvent event) throws IOException {
    Timestamp now = Timestamp.of(options.clock().instant());
    lock.lock();
    try {
      ReplayEvent complete = checked(event);
      EncodedLine encoded = encoder.encode(complete, now);
      Position position = new Position(lines + 1, bytes);
      try {
        encoder.writeTo(out);
      } catch (IOException e) {
        failure = e;
        throw e;
      }
      encoder.update(digest);
      lines++;
      bytes += encoded.length();
      count(complete);
      return new WrittenEvent(complete, position, encoded.time(), encoded.contentHash());
    } finally {
      lock.unlock();
    }
  }

  /** The complete event, if it may be written. */
  private ReplayEvent checked(ReplayEvent event) throws IOException {
    requireOpen();
    ReplayEvent complete = complete(event);
    List<Finding> broken = EventRules.check(complete);
    if (!broken.isEmpty()) {
      throw new IllegalArgumentException(
          event.kind().tag() + ": " + broken.get(0).message());
    }
    return complete;
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new IllegalStateException("the writer of " + file + " is closed");
    }
    if (failure != null) {
      throw new IOException("refused, because an earlier write to " + file + " failed", failure);
    }
    if (ended) {
      throw new IllegalStateException("the session in " + file + " has ended");
    }
  }

  /** Fills in what is known of a session, where its start or end does not say it. */
  private ReplayEvent complete(ReplayEvent event) {
    boolean draft = options.dialect() == Dialect.DRAFT;
    if (!draft && event instanceof SessionStart start && start.policy() == null) {
      boolean version = options.dialect() == Dialect.EVENT;
      String policy = EventRules.DEFAULT_POLICY;
      return start.withPolicy(version ? PolicyId.version(policy) : PolicyId.bundle(policy));
    }
    if (event instanceof SessionEnd end) {
      requireTotal("total_tool_calls", end.totalToolCalls(), toolCalls);
      requireTotal("total_latency_ms", end.totalLatencyMillis(), latencyMillis);
      if (draft) {
        return end;
      }
      SessionEnd complete = end.withTotals(toolCalls, latencyMillis);
      return end.confidence() != null
          ? complete
          : complete.withConfidence(EventRules.defaultConfidence(end.status()));
    }
    return event;
  }

  private static void requireTotal(String field, @Nullable Long stated, long counted) {
    if (stated != null && stated != counted) {
      throw new IllegalArgumentException(
          "%s is %d, but the events that were written make %d".formatted(field, stated, counted));
    }
  }

  private void count(ReplayEvent event) {
    if (event instanceof ToolCall) {
      toolCalls++;
    } else if (event instanceof ToolResult result) {
      latencyMillis = EventRules.addTotal(latencyMillis, result.latencyMillis());
    } else if (event instanceof SessionEnd) {
      ended = true;
    }
  }
}
