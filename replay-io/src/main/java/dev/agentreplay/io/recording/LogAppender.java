package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.canonical.dialect.LineEncoder.EncodedLine;
import dev.agentreplay.io.context.SteppedClock;
import dev.agentreplay.io.file.Disk;
import dev.agentreplay.model.Checkpoint;
import dev.agentreplay.model.LogSegment;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.check.EventRules;
import dev.agentreplay.model.finding.Finding;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Assigns the lines of a log their order: under one lock a line is assigned its offset, written and
 * counted, after a checkpoint or a segment that is due before it. Encoding, batches of hashes and
 * fsync are outside that lock. Safe for use by several threads.
 *
 * <p>The states are open, closing and closed. While closing, only buffered lines are written; it is
 * closed when file and lock are released.
 */
final class LogAppender {

  private final Disk disk;
  private final Path file;
  private final WriterOptions options;
  private final Journal journal;
  private final CountedLog lines;
  private final EncoderPool encoders;
  private final CheckpointEncoder checkpoints;
  private final LogRelease release;

  /** Whether the clock ascends with the lines, so that it may be read only under the lock. */
  private final boolean isStepped;

  /** Guards journal, lines, release and {@link #closing}. */
  private final ReentrantLock lock = new ReentrantLock();

  private boolean closing;

  /**
   * Creates an appender to a log that was opened.
   *
   * @param claim the lock of the log
   */
  LogAppender(
      Disk disk,
      Path file,
      WriterOptions options,
      Closeable claim,
      Journal journal,
      CountedLog lines,
      EncoderPool encoders) {
    this.disk = disk;
    this.file = file;
    this.options = options;
    this.journal = journal;
    this.lines = lines;
    this.encoders = encoders;
    this.checkpoints = new CheckpointEncoder(file, options.evidence().signer());
    this.release = new LogRelease(journal, claim);
    this.isStepped = options.clock() instanceof SteppedClock;
  }

  Path file() {
    return file;
  }

  /** The event with the default policy, if it is the start of a session without a policy. */
  ReplayEvent withPolicy(ReplayEvent event) {
    return lines.log().withPolicy(event);
  }

  /** Whether an event is forced to disk before it is acknowledged. */
  boolean isForced(ReplayEvent event) {
    return options.durability() == Durability.FSYNC || event instanceof SessionEnd;
  }

  /**
   * Checks and encodes an event.
   *
   * @throws IllegalArgumentException if it breaks a rule of {@link EventRules}
   */
  static EncodedLine encode(LineEncoder encoder, ReplayEvent event, Timestamp now) {
    requireInRange(event);
    return encoder.encode(event, now);
  }

  /**
   * Checks an event.
   *
   * @throws IllegalArgumentException if it breaks a rule of {@link EventRules}
   */
  static void requireInRange(ReplayEvent event) {
    requireNone(event, EventRules.check(event));
  }

  /**
   * Fails if rules of {@link EventRules} are broken.
   *
   * @throws IllegalArgumentException with the first finding
   */
  static void requireNone(ReplayEvent event, List<Finding> broken) {
    if (!broken.isEmpty()) {
      throw new IllegalArgumentException(
          event.kind().id() + ": " + broken.get(0).message());
    }
  }

  /**
   * Writes an event, which is encoded before the lock is acquired, if it can be, and forces it to
   * disk if necessary.
   *
   * @param encoder receives the encoded line
   */
  WrittenEvent append(ReplayEvent event, LineEncoder encoder) throws IOException {
    ReplayEvent complete = withPolicy(event);
    boolean forces = isForced(event);
    boolean isLate = isStepped || event instanceof SessionEnd; // whose totals the lock guards
    Timestamp now = isLate ? null : options.now();
    EncodedLine encoded = now == null ? null : encode(encoder, complete, now);
    WrittenEvent written;
    long position;
    lock.lock();
    try {
      requireOpen();
      if (complete instanceof SessionEnd end) {
        complete = lines.log().complete(end);
      }
      if (now == null || encoded == null) {
        now = options.now();
        encoded = encode(encoder, complete, now);
      }
      if (hasCheckpoints()
          && lines.log().linesSinceCheckpoint() >= options.evidence().checkpointInterval()) {
        writeCheckpoint(now); // before the event, which is refused if this fails
      }
      if (journal.isFullFor(encoder)) {
        rotate(now);
      }
      long offset = journal.position();
      position = offset + encoder.length();
      written = lines.log().next(complete, encoded, offset);
      lines.append(complete, written, encoder);
    } finally {
      lock.unlock();
    }
    try {
      lines.log().passOnBatch();
    } catch (Error e) {
      // the digest is marked as broken
    }
    if (forces) {
      try {
        journal.force(position);
      } catch (ReplayWriteException e) {
        throw e.of(written);
      } catch (Error e) {
        throw journal.unforced(e).of(written);
      }
    }
    return written;
  }

  /** Forces all lines to disk, as {@link ReplayWriter#sync} specifies. */
  void sync() throws IOException {
    long position;
    lock.lock();
    try {
      requireNotClosing();
      lines.requireCounted();
      WrittenLog log = lines.log();
      if (hasCheckpoints() && log.linesSinceCheckpoint() > 0 && !log.hasEnded()) {
        writeCheckpoint(options.now());
      }
      journal.flush();
      position = journal.position();
    } finally {
      lock.unlock();
    }
    journal.force(position);
  }

  /** Passes buffered lines to the operating system, so that readers see them. */
  void flush() throws IOException {
    lock.lock();
    try {
      if (!closing) {
        journal.flush();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Fails if no event can be written now. */
  void check() throws IOException {
    lock.lock();
    try {
      requireOpen();
    } finally {
      lock.unlock();
    }
  }

  /** Hash and tree of the lines that were written so far, which the account has received. */
  WrittenLog.Digest digest() throws IOException {
    lock.lock();
    try {
      return lines.digest();
    } finally {
      lock.unlock();
    }
  }

  /** Closes the log, as {@link ReplayWriter#close} specifies. */
  void close() throws IOException {
    lock.lock();
    try {
      closing = true;
      release.close(lines.log().hasEnded());
    } finally {
      lock.unlock();
    }
  }

  /** Whether {@link #close} has completed. */
  boolean isClosed() {
    lock.lock();
    try {
      return release.isClosed();
    } finally {
      lock.unlock();
    }
  }

  /** The number of events that were buffered, and lost when the log was closed. */
  int lostEvents() {
    lock.lock();
    try {
      return release.lostEvents();
    } finally {
      lock.unlock();
    }
  }

  /** Closes the log because of a failure, and deletes it; no other thread uses it yet. */
  void discard(Throwable failure) {
    closing = true;
    release.discard(disk, file, failure);
  }

  private boolean hasCheckpoints() {
    return options.evidence().checkpointInterval() > 0;
  }

  /** Writes a checkpoint with the tree of the log so far. */
  private void writeCheckpoint(Timestamp now) throws IOException {
    LineEncoder encoder = encoders.borrow();
    Checkpoint checkpoint = checkpoints.encode(encoder, requireTree(), now);
    if (journal.isFullFor(encoder)) {
      rotate(now); // this adds a line
      checkpoint = checkpoints.encode(encoder, requireTree(), now);
    }
    lines.appendOwn(checkpoint, encoder);
    encoders.giveBack(encoder);
  }

  private TreeHead requireTree() throws IOException {
    return Objects.requireNonNull(lines.digest().tree(), "tree");
  }

  /** Rotates the log: begins the next segment with its link to the one before. */
  private void rotate(Timestamp now) throws IOException {
    LineEncoder encoder = encoders.borrow();
    LogSegment link = LogSegment.of(
        journal.segment() + 1L,
        lines.log().lines(),
        journal.position(),
        lines.digest().hash());
    encode(encoder, link, now);
    lines.appendOwn(link, encoder);
    encoders.giveBack(encoder);
  }

  private void requireNotClosing() throws IOException {
    if (lock.getHoldCount() > 1) {
      throw new IllegalStateException("the signer of " + file + " must not write to it");
    }
    if (closing) {
      throw new IllegalStateException("the writer of " + file + " is closed");
    }
    journal.requireSound();
  }

  private void requireOpen() throws IOException {
    requireNotClosing();
    lines.requireCounted();
    if (lines.log().hasEnded()) {
      throw new IllegalStateException("the session in " + file + " has ended");
    }
  }
}
