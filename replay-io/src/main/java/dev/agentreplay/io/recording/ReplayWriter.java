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
 * Writes a log. {@link WriterOptions#durability} says what an event survives when {@link #emit} has
 * returned: by default the death of the process, not power loss. Lines are in the order in which
 * they were written, whole, one write each. Safe for use by several threads; an interrupt of a
 * thread stops nothing and is kept.
 *
 * <p>A log has one writer. It holds a lock, {@code <log>.lock}, until it is closed; a second one,
 * in this process or another, is refused with {@link LogLockedException}. A process that is killed
 * leaves that file, which means nothing then. The lock is lost when the process itself opens and
 * closes that file, as when it copies the directory: leave it out.
 *
 * <p>When a write fails, what is in the log of the line is cut off again: nothing of the event is
 * in the log, and the next one may be written, as when a full disk has room again. When that fails
 * too, or an fsync, it is not known what is in the log: {@link ReplayWriteException#isUndetermined}
 * says so, and all further events are refused.
 *
 * <p>A log is rotated into another segment, {@code <log>.2} and so on, before a file would be
 * larger than {@link WriterOptions#maxSegmentBytes}. Each begins with a {@link LogSegment}, and all
 * of them read as one log.
 */
public final class ReplayWriter implements Closeable {

  private final LogAppender log;
  private final WriterOptions options;
  private final EncoderPool encoders;

  /** A writer of a log that was opened. */
  ReplayWriter(LogAppender log, WriterOptions options, EncoderPool encoders) {
    this.log = log;
    this.options = options;
    this.encoders = encoders;
  }

  /** Creates a log with default options. */
  public static ReplayWriter create(Path file, ReplayHeader header) throws IOException {
    return create(file, header, WriterOptions.defaults());
  }

  /**
   * Creates a log, and writes its header, in the version of the dialect. Header and name are forced
   * to the disk. The directory is created if it is missing.
   *
   * @throws FileAlreadyExistsException if the file exists, or one that would be its segment
   * @throws LogLockedException if another writer creates it
   * @throws IllegalArgumentException if the header is of another version than
   *     {@link ReplayHeader#VERSION} or the dialect's, lacks what the dialect demands, or names a
   *     canonicalization that is not known
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
   * Opens a log to append to it, in its dialect and with its canonicalization. A torn last line, as
   * an interrupted writer leaves it, is cut off first, and kept next to the log, as
   * {@link LogRecovery#repair()} does it; of the events before it, none is changed.
   *
   * @param options of which the dialect is that of the log
   * @throws NoSuchFileException if there is no log
   * @throws LogLockedException if another writer has the log
   * @throws ReplayFormatException if the log has no header, or one of a version or canonicalization
   *     that is not known, or the session has ended, or a line is no event; nothing is changed
   *     then, but for the torn line if that is all there is
   * @throws IOException also if the log is compressed
   */
  public static ReplayWriter append(Path file, WriterOptions options) throws IOException {
    return append(LocalDisk.INSTANCE, LogSegments.named(file), options);
  }

  static ReplayWriter append(Disk disk, Path file, WriterOptions options) throws IOException {
    return new LogOpening(disk, file, options, LogAccount.NONE).append();
  }

  /**
   * Writes an event. A time that it leaves out is filled in, and so are the hashes of the values it
   * holds, the default policy of a session, and at its end the totals and the default confidence:
   * what the specification of the dialect has of these. The end of a session is forced to the disk,
   * with all that precedes it.
   *
   * @throws IllegalArgumentException if the event is a header, a checkpoint or the beginning of a
   *     segment, or an unknown event without a type or with a known one, breaks a rule of
   *     {@link EventRules}, lacks what the dialect demands, gives a hash or a total that is not the
   *     right one, or cannot be read again because it is too long or nested too deep; nothing is
   *     written
   * @throws IllegalStateException if the writer is closed, or the session has ended; nothing is
   *     written
   * @throws ReplayWriteException if the event could not be written, or not be forced to the disk,
   *     or if that happened to an earlier one and nothing is written any more. When an Error is the
   *     cause, the message of the exception and its state say what became of the event
   * @throws Error if memory or stack ran out before anything was written: nothing of the event is
   *     in the log, and it may be emitted again. Once it is in the log, an Error that interrupts
   *     what is computed of it is not thrown, and that is computed again from the log
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
      return written; // its fate is known; another encoder is made when one is needed
    }
    return written;
  }

  private static void requireOfCaller(ReplayEvent event) {
    if (event instanceof ReplayHeader) {
      throw new IllegalArgumentException("the header was written when the log was created");
    } else if (event instanceof LogSegment) {
      throw new IllegalArgumentException(
          "a LogSegment is written when the log is continued in another file");
    } else if (event instanceof Checkpoint) {
      throw new IllegalArgumentException(
          "a Checkpoint is written as TamperEvidenceOptions says, and at sync()");
    } else if (event instanceof UnknownEvent unknown
        && (unknown.type().isEmpty() || EventKind.ofTag(unknown.type()) != EventKind.UNKNOWN)) {
      throw new IllegalArgumentException(
          "an unknown event must have a type, and not a known one: \"" + unknown.type() + "\"");
    }
  }

  /** Fails as {@link #emit} would fail now, but for what comes of writing. Writes nothing. */
  void check(ReplayEvent event) throws IOException {
    log.check();
    LineEncoder encoder = encoders.borrow();
    try {
      LogAppender.encode(encoder, log.withPolicy(event), now());
    } finally {
      encoders.giveBack(encoder);
    }
  }

  /**
   * Returns when all that was written before survives power loss. Where the options ask for
   * checkpoints, there is one of all that was written before, unless the session has ended.
   *
   * @throws ReplayWriteException if that is not so, or not known; nothing is written any more
   * @throws IllegalStateException if the writer is closed
   */
  public void sync() throws IOException {
    log.sync();
  }

  /** Hands what is buffered to the operating system, so that a reader sees it. */
  void flush() throws IOException {
    log.flush();
  }

  /** The canonicalization of lines and hashes. */
  Canonicalization canonicalization() {
    return encoders.canonicalization();
  }

  /** The dialect that is written. */
  Dialect dialect() {
    return encoders.dialect();
  }

  /** The time of an event that says none and is emitted now. */
  Timestamp now() {
    return options.now();
  }

  /** The file that is written, or the first of its segments. */
  public Path file() {
    return log.file();
  }

  /**
   * The hash of the bytes that were written so far, in all segments.
   *
   * @throws UncheckedIOException if the log has to be read for it, as after an Error, and cannot be
   */
  public ContentHash replayHash() {
    return uncheckedDigest().hash();
  }

  /**
   * The tree over the lines that were written so far, in all segments.
   *
   * @return null if {@link TamperEvidenceOptions#tree} is not asked for
   * @throws UncheckedIOException if the log has to be read for it, as after an Error, and cannot be
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

  /** Hash and tree of what was written so far, of which the account has been told. */
  WrittenLog.Digest digest() throws IOException {
    return log.digest();
  }

  /**
   * Ends writing, and lets another writer append. What is written is as safe as
   * {@link WriterOptions#durability} promises. May be called again when an Error has interrupted
   * it, and does what is left to do.
   *
   * @throws ReplayWriteException if it is not
   */
  @Override
  public void close() throws IOException {
    log.close();
  }

  /** Whether {@link #close} has nothing left to do. */
  boolean isClosed() {
    return log.isClosed();
  }

  /** The number of events that were acknowledged, but lost on closing; only if buffered. */
  int lostEvents() {
    return log.lostEvents();
  }

  /** Ends writing because of a failure, and deletes the log. */
  void discard(Throwable failure) {
    log.discard(failure);
  }
}
