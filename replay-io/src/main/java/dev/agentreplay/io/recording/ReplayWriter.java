package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.EncodedLine;
import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.LogLockedException;
import dev.agentreplay.io.log.LogFile;
import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.log.LogSegments;
import dev.agentreplay.io.log.Recovery;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.model.Checkpoint;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.LogSegment;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.check.EventRules;
import dev.agentreplay.model.finding.Finding;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes a log. What an event survives when {@link #emit} has returned is for
 * {@link WriterOptions#durability} to say: by default the death of the process, not power loss.
 * Lines stand in the order in which they were written, whole, one write each. Safe for use by
 * several threads; an interrupt of a thread stops nothing and is kept.
 *
 * <p>A log has one writer. It holds a lock, {@code <log>.lock}, until it is closed; a second one,
 * in this process or another, is refused with {@link LogLockedException}. A process that is killed
 * leaves that file, which means nothing then. The lock is lost when the process itself opens and
 * closes that file, as when it copies the directory: leave it out.
 *
 * <p>When a write fails, what is there of the line is cut off again: nothing of the event is in the
 * log, and the next one may be written, as when a full disk has room again. When that fails too, or
 * a force of the disk, it is not known what is in the log:
 * {@link ReplayWriteException#isUndetermined} says so, and all further events are refused.
 *
 * <p>A log goes on in another file, {@code <log>.2} and so on, before one would be larger than
 * {@link WriterOptions#maxSegmentBytes}. Each begins with a {@link LogSegment}, and all of them
 * read as one log.
 */
public final class ReplayWriter implements Closeable {

  /** An Error need not come again: what gives up files and locks is tried as often. */
  private static final int ATTEMPTS = 2;

  private final Disk disk;
  private final Path file;
  private final WriterOptions options;
  private final Closeable claim;
  private final Journal journal;
  private final LogAccount account;
  private final EncoderPool encoders;
  private final CheckpointEncoder checkpoints;
  private final ReentrantLock lock = new ReentrantLock();

  /** What the log holds so far. Replaced under the lock. */
  private volatile WrittenLog log;

  /** Whether that and the account may lack a line, or have one that is not there. */
  private boolean stale;

  private int lostEvents;
  private boolean closing;
  private boolean closed;

  private ReplayWriter(
      Disk disk,
      Path file,
      WriterOptions options,
      Closeable claim,
      Journal journal,
      WrittenLog log,
      LogAccount account) {
    this.disk = disk;
    this.file = file;
    this.options = options;
    this.claim = claim;
    this.journal = journal;
    this.log = log;
    this.account = account;
    this.encoders = new EncoderPool(log.dialect(), log.canonicalization());
    this.checkpoints = new CheckpointEncoder(file, options.evidence().signer());
  }

  /** Creates a log with default options. */
  public static ReplayWriter create(Path file, ReplayHeader header) throws IOException {
    return create(file, header, WriterOptions.defaults());
  }

  /**
   * Creates a log, and writes its header, in the version of the dialect. Header and name are forced
   * to the disk. The directory is created if it is missing.
   *
   * @throws FileAlreadyExistsException if the file exists, or one that would be a part of it
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
    return create(disk, file, header, options, LogAccount.NONE, false);
  }

  /**
   * Creates a log on a disk.
   *
   * @param account is told of each line that is written
   * @param replaces whether a log may be there that holds nothing but a header
   */
  static ReplayWriter create(
      Disk disk,
      Path file,
      ReplayHeader header,
      WriterOptions options,
      LogAccount account,
      boolean replaces)
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
    requireAbsent(disk, file, replaces);
    WrittenLog log =
        new WrittenLog(options.dialect(), canonicalization, options.evidence().tree());
    LineEncoder encoder = new LineEncoder(options.dialect(), canonicalization);
    ReplayHeader complete = header.withVersion(version);
    EncodedLine encoded = encode(encoder, complete, now(options));
    WrittenEvent first = log.next(complete, encoded, 0);
    Closeable claim = disk.lock(file);
    Journal journal = null;
    try {
      if (replaces && disk.exists(file)) {
        Leftover.delete(disk, file);
      }
      journal = Journal.create(disk, file, options, encoder);
      log.add(complete, encoder);
      account.add(first);
      return new ReplayWriter(disk, file, options, claim, journal, log, account);
    } catch (Throwable e) {
      if (journal != null) {
        release(journal, e);
        delete(disk, file, 1, e);
      }
      release(claim, e);
      throw e;
    }
  }

  /**
   * Opens a log to go on with it, in its dialect and with its canonicalization. A torn last line,
   * which a writer leaves that was broken off, is cut off first, and kept beside the log, as
   * {@link LogRecovery#repair} does it; of the events before it, none is changed.
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
    return append(LocalDisk.INSTANCE, LogFile.named(file), options);
  }

  static ReplayWriter append(Disk disk, Path file, WriterOptions options) throws IOException {
    return append(disk, file, options, LogAccount.NONE);
  }

  /** As {@link #append(Path, WriterOptions)}, with an account of all that is there or follows. */
  static ReplayWriter append(Disk disk, Path file, WriterOptions options, LogAccount account)
      throws IOException {
    Objects.requireNonNull(options, "options");
    if (!disk.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    Closeable claim = disk.lock(file);
    Journal journal = null;
    try {
      ExistingLog existing = new ExistingLog(file, options.evidence().tree(), account::add);
      Recovery.Extent extent = existing.repair(disk);
      WrittenLog log = existing.log();
      WriterOptions same = options.withDialect(log.dialect());
      journal = Journal.append(
          disk,
          file,
          same,
          extent.part(),
          extent.bytes() - extent.partBytes(),
          extent.partBytes(),
          existing.endsAtABeginning());
      return new ReplayWriter(disk, file, same, claim, journal, log, account);
    } catch (Throwable e) {
      if (journal != null) {
        release(journal, e);
      }
      release(claim, e);
      throw e;
    }
  }

  /** Neither the log may be there nor a part of another one, in which it would go on. */
  private static void requireAbsent(Disk disk, Path file, boolean replaces) throws IOException {
    if (!replaces && disk.exists(file)) {
      throw new FileAlreadyExistsException(file.toString());
    }
    for (int part : LogSegments.later(disk, file)) {
      throw new FileAlreadyExistsException(
          LogSegments.file(file, part).toString(), null, "a part of a log that is not there");
    }
  }

  /** Gives up a file or a lock because of a failure. */
  private static void release(Closeable resource, Throwable failure) {
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      try {
        resource.close();
        return;
      } catch (Error e) {
        failure.addSuppressed(e);
      } catch (Throwable e) {
        failure.addSuppressed(e);
        return;
      }
    }
  }

  /** Deletes a log that was begun because of a failure. */
  private static void delete(Disk disk, Path file, int parts, Throwable failure) {
    try {
      for (int part = parts; part > 0; part--) {
        disk.delete(LogSegments.file(file, part));
      }
      disk.forceParent(file);
    } catch (Throwable e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * Writes an event. A time that it leaves out is filled in, and so are the hashes of the values it
   * holds, the default policy of a session, and at its end the totals and the default confidence:
   * what the specification of the dialect has of these. The end of a session is forced to the disk,
   * with all that stands before it.
   *
   * @throws IllegalArgumentException if the event is a header, a checkpoint or the beginning of a
   *     part, or an unknown event without a type or with a known one, breaks a rule of
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
    if (event instanceof ReplayHeader) {
      throw new IllegalArgumentException("the header was written when the log was created");
    }
    if (event instanceof LogSegment) {
      throw new IllegalArgumentException(
          "a LogSegment is written when the log goes on in another file");
    }
    if (event instanceof Checkpoint) {
      throw new IllegalArgumentException(
          "a Checkpoint is written as TamperEvidenceOptions says, and at sync()");
    }
    if (event instanceof UnknownEvent unknown
        && (unknown.type().isEmpty() || EventKind.ofTag(unknown.type()) != EventKind.UNKNOWN)) {
      throw new IllegalArgumentException(
          "an unknown event must have a type, and not a known one: \"" + unknown.type() + "\"");
    }
    EmitEvent trace = new EmitEvent();
    trace.begin();
    LineEncoder encoder = encoders.borrow();
    WrittenEvent written;
    try {
      written = write(event, encoder);
    } catch (IOException | RuntimeException e) {
      encoders.giveBack(encoder);
      throw e;
    }
    try {
      trace.end();
      if (trace.shouldCommit()) {
        trace.kind = event.kind().id();
        trace.bytes = encoder.length();
        trace.forced = isForced(event);
        trace.commit();
      }
      encoders.giveBack(encoder);
    } catch (Error e) {
      return written; // its fate is known; another encoder is made when one is needed
    }
    return written;
  }

  /**
   * Returns when all that was written before survives power loss. Where the options ask for
   * checkpoints, there is one of all that was written before, unless the session has ended.
   *
   * @throws ReplayWriteException if that is not so, or not known; nothing is written any more
   * @throws IllegalStateException if the writer is closed
   */
  public void sync() throws IOException {
    long position;
    lock.lock();
    try {
      requireNotClosed();
      requireAccount();
      if (hasCheckpoints() && log.linesSinceCheckpoint() > 0 && !log.hasEnded()) {
        writeCheckpoint(now());
      }
      journal.flush();
      position = journal.position();
    } finally {
      lock.unlock();
    }
    journal.force(position);
  }

  /** Hands what is buffered to the operating system, so that a reader sees it. */
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

  /** What lines and hashes are made with. */
  Canonicalization canonicalization() {
    return log.canonicalization();
  }

  /** The dialect that is written. */
  Dialect dialect() {
    return log.dialect();
  }

  /** The file that is written, or the first of them. */
  public Path file() {
    return file;
  }

  /**
   * Ends writing, and lets another writer go on. What is written is as safe as
   * {@link WriterOptions#durability} promises. May be called again when an Error has interrupted
   * it, and does what is left to do.
   *
   * @throws ReplayWriteException if it is not
   */
  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closing = true;
      boolean forces = log.hasEnded();
      Throwable failure = null;
      boolean isReleased = true;
      int attempts = 0;
      for (int step = 0; step < 3; ) {
        try {
          if (step == 0) {
            journal.finish(forces);
          } else if (step == 1) {
            lostEvents = journal.bufferedEvents();
            journal.close();
          } else {
            claim.close();
          }
          attempts = 0;
          step++;
        } catch (Throwable e) {
          boolean isError = e instanceof Error || e.getCause() instanceof Error;
          if (!isError || ++attempts == ATTEMPTS) {
            failure = failure == null ? e : failure;
            isReleased &= step == 0 || !isError;
            attempts = 0;
            step++;
          }
        }
      }
      closed = isReleased;
      throwIfFailed(failure);
    } finally {
      lock.unlock();
    }
  }

  static void throwIfFailed(@Nullable Throwable failure) throws IOException {
    if (failure instanceof IOException e) {
      throw e;
    } else if (failure instanceof RuntimeException e) {
      throw e;
    } else if (failure instanceof Error e) {
      throw e;
    }
  }

  /** Whether {@link #close} has nothing left to do. */
  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** How many events were acknowledged, but were lost when this was closed; only if buffered. */
  int lostEvents() {
    lock.lock();
    try {
      return lostEvents;
    } finally {
      lock.unlock();
    }
  }

  /** Ends writing because of a failure, and deletes the log. */
  void discard(Throwable failure) {
    int parts = journal.part();
    closing = true;
    release(journal, failure);
    delete(disk, file, parts, failure);
    release(claim, failure);
    closed = true;
  }

  /**
   * The hash of the bytes that were written so far, in all parts.
   *
   * @throws UncheckedIOException if the log has to be read for it, as after an Error, and cannot be
   */
  public ContentHash replayHash() {
    return uncheckedDigest().hash();
  }

  /**
   * The tree over the lines that were written so far, in all parts.
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
    lock.lock();
    try {
      requireAccount();
      WrittenLog.Digest digest = log.digest();
      while (digest == null) {
        readAgain();
        digest = log.digest();
      }
      return digest;
    } finally {
      lock.unlock();
    }
  }

  /** Fails as {@link #emit} would fail now, but for what comes of writing. Writes nothing. */
  void check(ReplayEvent event) throws IOException {
    lock.lock();
    try {
      requireOpen();
    } finally {
      lock.unlock();
    }
    LineEncoder encoder = encoders.borrow();
    try {
      encode(encoder, log.withPolicy(event), now());
    } finally {
      encoders.giveBack(encoder);
    }
  }

  private WrittenEvent write(ReplayEvent event, LineEncoder encoder) throws IOException {
    Timestamp now = now();
    ReplayEvent complete = log.withPolicy(event);
    boolean ends = event instanceof SessionEnd;
    boolean forces = isForced(event);
    // the end states totals, which are known when nothing can come before it any more
    EncodedLine encoded = ends ? null : encode(encoder, complete, now);
    WrittenEvent written;
    long position;
    lock.lock();
    try {
      requireOpen();
      if (complete instanceof SessionEnd end) {
        complete = log.complete(end);
        encoded = encode(encoder, complete, now);
      }
      if (hasCheckpoints()
          && log.linesSinceCheckpoint() >= options.evidence().checkpointInterval()) {
        writeCheckpoint(now); // before the event, so that it is refused when that fails
      }
      if (journal.isFullFor(encoder)) {
        rotate(now);
      }
      long offset = journal.position();
      position = offset + encoder.length();
      written = log.next(complete, Objects.requireNonNull(encoded), offset);
      stale = true;
      try {
        if (ends) {
          journal.appendUnbuffered(encoder);
        } else {
          journal.append(encoder, true);
        }
      } catch (IOException | Error e) {
        stale = journal.position() != offset;
        if (!stale) {
          throw e;
        } else if (e instanceof ReplayWriteException failed) {
          throw failed.of(written);
        }
      }
      try {
        log.add(complete, encoder);
        account.add(written);
        stale = false;
      } catch (Error e) {
        stale = true; // the event is in the log, and what it comes to is read from there
      }
    } finally {
      lock.unlock();
    }
    try {
      log.hashBatch();
    } catch (Error e) {
      // the digest says from now on that it was interrupted
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

  private boolean isForced(ReplayEvent event) {
    return options.durability() == Durability.FSYNC || event instanceof SessionEnd;
  }

  private boolean hasCheckpoints() {
    return options.evidence().checkpointInterval() > 0;
  }

  /** Writes what the log is so far. The lock is held, so that nothing comes in between. */
  private void writeCheckpoint(Timestamp now) throws IOException {
    LineEncoder encoder = encoders.borrow();
    Checkpoint checkpoint = checkpoints.encode(encoder, requireTree(), now);
    if (journal.isFullFor(encoder)) {
      rotate(now); // which adds a line
      checkpoint = checkpoints.encode(encoder, requireTree(), now);
    }
    writeOwn(checkpoint, encoder);
  }

  private TreeHead requireTree() throws IOException {
    return Objects.requireNonNull(digest().tree(), "tree");
  }

  private void rotate(Timestamp now) throws IOException {
    LineEncoder encoder = encoders.borrow();
    LogSegment link = LogSegment.of(
        journal.part() + 1L, log.lines(), journal.position(), digest().hash());
    encode(encoder, link, now);
    writeOwn(link, encoder);
  }

  /** Writes a line that no caller has asked for; one that begins a part goes into a new file. */
  private void writeOwn(ReplayEvent line, LineEncoder encoder) throws IOException {
    long offset = journal.position();
    stale = true;
    try {
      if (line instanceof LogSegment) {
        journal.rotate(encoder);
      } else {
        journal.append(encoder, false);
      }
      log.add(line, encoder);
      stale = false;
    } catch (IOException e) {
      stale = journal.position() != offset;
      throw e;
    }
    encoders.giveBack(encoder);
  }

  /** Reads what the log comes to again if an Error has interrupted what keeps it. */
  private void requireAccount() throws IOException {
    if (stale) {
      readAgain();
    }
  }

  private void readAgain() throws IOException {
    try {
      stale = true;
      journal.flush();
      WrittenLog read = new WrittenLog(
          log.dialect(), log.canonicalization(), options.evidence().tree());
      account.restart();
      Recovery.Extent found = LogRecovery.of(disk, file)
          .inspect(line -> {
            read.add(line);
            account.add(line);
          })
          .extent();
      if (found.bytes() != journal.position()) {
        throw new IOException("%s: expected %d bytes, found %d events in %d"
            .formatted(file, journal.position(), found.events(), found.bytes()));
      }
      log = read;
      stale = false;
    } catch (ReplayWriteException e) {
      throw e;
    } catch (IOException e) {
      throw ReplayWriteException.rolledBack(
          file, "an Error interrupted an earlier event, and the log cannot be read again: " + e, e);
    }
  }

  /** The time of an event that says none and is emitted now. */
  Timestamp now() {
    return now(options);
  }

  private static Timestamp now(WriterOptions options) {
    return Timestamp.of(options.clock().instant());
  }

  /** Encodes an event, if it may be written. */
  private static EncodedLine encode(LineEncoder encoder, ReplayEvent event, Timestamp now) {
    List<Finding> broken = EventRules.check(event);
    if (!broken.isEmpty()) {
      throw new IllegalArgumentException(
          event.kind().id() + ": " + broken.get(0).message());
    }
    return encoder.encode(event, now);
  }

  private void requireNotClosed() throws IOException {
    if (lock.getHoldCount() > 1) {
      throw new IllegalStateException("the signer of " + file + " must not write to it");
    }
    if (closing) {
      throw new IllegalStateException("the writer of " + file + " is closed");
    }
    journal.requireSound();
  }

  private void requireOpen() throws IOException {
    requireNotClosed();
    requireAccount();
    if (log.hasEnded()) {
      throw new IllegalStateException("the session in " + file + " has ended");
    }
  }
}
