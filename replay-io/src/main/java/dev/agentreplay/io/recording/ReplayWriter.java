package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.LogLockedException;
import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.log.LogSegments;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.model.Checkpoint;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.LogSegment;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.check.EventRules;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Writes an append-only log of events. {@link WriterOptions#durability} specifies which failures an
 * event survives after {@link #emit} has returned: by default a crash of the process, but not power
 * loss. Lines are complete and in the order in which they were written; each is written with one
 * write, except with {@link Durability#BUFFERED}. Safe for use by several threads; an interrupt of
 * a thread does not stop a method, and the interrupt status is kept.
 *
 * <p>A log has one writer, which holds a file lock, {@code <log>.lock}, until it is closed; a
 * second one, in this process or in a different one, is refused with {@link LogLockedException}. A
 * process that is killed leaves that file, which then locks nothing. The lock is lost when the
 * process itself opens and closes the lock file, as when it copies the directory: do not copy that
 * file.
 *
 * <p>A write that fails is rolled back: the file is truncated, nothing of the event is in the log,
 * and the next one may be written, as when a full disk has space again. If the rollback or an fsync
 * fails, the content of the log is unknown: {@link ReplayWriteException#isUndetermined} returns
 * true, and all further events are refused.
 *
 * <p>The writer rotates the log into another segment, {@code <log>.2} and so on, before a file
 * would become larger than {@link WriterOptions#maxSegmentBytes}. Each later segment begins with a
 * {@link LogSegment}, and all of them are read as one log.
 */
public final class ReplayWriter implements Closeable {

  /** A time of the longest form, to check an event without reading the clock. */
  private static final Timestamp ANY_TIME = Timestamp.parse("2000-01-01T00:00:00.000000000Z");

  private final LogAppender log;
  private final WriterOptions options;
  private final EncoderPool encoders;

  /** Creates a writer of a log that was opened. */
  ReplayWriter(LogAppender log, WriterOptions options, EncoderPool encoders) {
    this.log = log;
    this.options = options;
    this.encoders = encoders;
  }

  /** Creates a log with the default options. */
  public static ReplayWriter create(Path file, ReplayHeader header) throws IOException {
    return create(file, header, WriterOptions.defaults());
  }

  /**
   * Creates a log, and writes its header, in the version of the dialect. The header and the
   * directory entry of the file are forced to disk (fsync). The directory is created if it is
   * missing.
   *
   * @throws FileAlreadyExistsException if the file exists, or a file with the name of a later
   *     segment of it
   * @throws LogLockedException if another writer is creating it
   * @throws IllegalArgumentException if the header has a version other than
   *     {@link ReplayHeader#VERSION} and that of the dialect, lacks a member that the dialect
   *     requires, or names an unknown canonicalization
   */
  public static ReplayWriter create(Path file, ReplayHeader header, WriterOptions options)
      throws IOException {
    LocalDisk.createDirectories(LogSegments.directory(file));
    return create(LocalDisk.INSTANCE, file, header, options);
  }

  static ReplayWriter create(Disk disk, Path file, ReplayHeader header, WriterOptions options)
      throws IOException {
    return new LogOpening(disk, file, options, LogAccount.NONE).create(header, false);
  }

  /**
   * Opens a log to append to it, in its dialect and with its canonicalization. This includes crash
   * recovery: a torn last line, as an interrupted writer leaves it, is truncated and kept next to
   * the log, as {@link LogRecovery#repair()} does; the events before it are not changed.
   *
   * @param options the options; the dialect is that of the log instead
   * @throws NoSuchFileException if there is no log
   * @throws LogLockedException if another writer has locked the log
   * @throws ReplayFormatException if the log has no header, its version or canonicalization is
   *     unknown, the session has ended, or a line is not an event; nothing is changed then, except
   *     if there is nothing but a torn line, which is truncated
   * @throws IOException also if the log is compressed
   */
  public static ReplayWriter append(Path file, WriterOptions options) throws IOException {
    return append(LocalDisk.INSTANCE, LogSegments.named(file), options);
  }

  static ReplayWriter append(Disk disk, Path file, WriterOptions options) throws IOException {
    return new LogOpening(disk, file, options, LogAccount.NONE).append();
  }

  /**
   * Writes an event. Missing parts are filled in as far as the specification of the dialect has
   * them: the time, the hashes of values, the default policy of a session, and at its end the
   * totals and the default confidence. The end of a session is forced to disk (fsync), with
   * everything before it.
   *
   * @throws IllegalArgumentException if the event is a header, a checkpoint or the beginning of a
   *     segment, or an unknown event without a type or with a known one, breaks a rule of
   *     {@link EventRules}, lacks a member that the dialect requires, states a wrong hash or total,
   *     or is too long or too deeply nested to be read again; nothing is written
   * @throws IllegalStateException if the writer is closed, or the session has ended; nothing is
   *     written
   * @throws ReplayWriteException if the event could not be written or forced to disk, or this
   *     happened to an earlier event and nothing is written any more. If the cause is an Error,
   *     message and state of the exception tell whether the event is in the log
   * @throws Error if memory or stack ran out before anything was written: nothing of the event is
   *     in the log, and it may be emitted again. After the event was written, an Error that
   *     interrupts the computation of hashes and totals is not thrown; they are computed again from
   *     the log
   */
  public WrittenEvent emit(ReplayEvent event) throws IOException {
    requireOfCaller(event);
    EmitEvent trace = new EmitEvent();
    trace.begin();
    LineEncoder encoder = encoders.borrow();
    WrittenEvent written;
    try {
      written = log.append(event, encoder);
    } catch (IOException | RuntimeException e) {
      encoders.giveBack(encoder);
      throw e;
    }
    try {
      trace.end();
      if (trace.shouldCommit()) {
        trace.kind = event.kind().id();
        trace.bytes = encoder.length();
        trace.forced = log.isForced(event);
        trace.commit();
      }
      encoders.giveBack(encoder);
    } catch (Error e) {
      return written; // it is in the log; the pool creates encoders on demand
    }
    return written;
  }

  private static void requireOfCaller(ReplayEvent event) {
    if (event instanceof ReplayHeader) {
      throw new IllegalArgumentException("the header was written when the log was created");
    } else if (event instanceof LogSegment) {
      throw new IllegalArgumentException(
          "a LogSegment is written by the writer when it rotates the log");
    } else if (event instanceof Checkpoint) {
      throw new IllegalArgumentException(
          "a Checkpoint is written by the writer: see TamperEvidenceOptions and sync()");
    } else if (event instanceof UnknownEvent unknown
        && (unknown.type().isEmpty() || EventKind.ofTag(unknown.type()) != EventKind.UNKNOWN)) {
      throw new IllegalArgumentException(
          "an unknown event must have a type that is not a known one: \"" + unknown.type() + "\"");
    }
  }

  /**
   * Throws the exceptions that {@link #emit} would throw now, except those of the write itself.
   * Writes nothing.
   */
  void check(ReplayEvent event) throws IOException {
    log.check();
    LineEncoder encoder = encoders.borrow();
    try {
      LogAppender.encode(encoder, log.withPolicy(event), ANY_TIME);
    } finally {
      encoders.giveBack(encoder);
    }
  }

  /**
   * Forces everything that was written before to disk (fsync), so that it survives power loss. If
   * the options specify checkpoints, the log then has a checkpoint of everything that was written
   * before, unless the session has ended.
   *
   * @throws ReplayWriteException if this failed, or is not known to have succeeded; nothing is
   *     written any more
   * @throws IllegalStateException if the writer is closed
   */
  public void sync() throws IOException {
    log.sync();
  }

  /** Passes buffered lines to the operating system, so that readers see them. */
  void flush() throws IOException {
    log.flush();
  }

  /** The canonicalization of lines and hashes. */
  Canonicalization canonicalization() {
    return encoders.canonicalization();
  }

  /** The dialect of the log. */
  Dialect dialect() {
    return encoders.dialect();
  }

  /** The time of an event that has none and is emitted now. */
  Timestamp now() {
    return options.now();
  }

  /** The file of the log, its first segment. */
  public Path file() {
    return log.file();
  }

  /**
   * The SHA-256 of the bytes that were written so far, in all segments.
   *
   * @throws UncheckedIOException if the log must be read to compute it, as after an Error, and
   *     cannot be
   */
  public ContentHash replayHash() {
    return uncheckedDigest().hash();
  }

  /**
   * The head of the Merkle tree over the lines that were written so far, in all segments.
   *
   * @return null if {@link TamperEvidenceOptions#tree} is false
   * @throws UncheckedIOException if the log must be read to compute it, as after an Error, and
   *     cannot be
   */
  public @Nullable TreeHead tree() {
    return uncheckedDigest().tree();
  }

  private WrittenLog.Digest uncheckedDigest() {
    try {
      return digest();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Hash and tree of the lines that were written so far, which the account has received. */
  WrittenLog.Digest digest() throws IOException {
    return log.digest();
  }

  /**
   * Closes the log, and releases its lock. Everything that was written is as durable as
   * {@link WriterOptions#durability} specifies. May be called again when an Error has interrupted
   * it, and does the rest.
   *
   * @throws ReplayWriteException if events may not be as durable as specified
   */
  @Override
  public void close() throws IOException {
    log.close();
  }

  /** Whether {@link #close} has completed. */
  boolean isClosed() {
    return log.isClosed();
  }

  /**
   * The number of events that were acknowledged but lost when the log was closed; not zero only
   * with {@link Durability#BUFFERED}.
   */
  int lostEvents() {
    return log.lostEvents();
  }

  /** Closes the log because of a failure, and deletes it. */
  void discard(Throwable failure) {
    log.discard(failure);
  }
}
