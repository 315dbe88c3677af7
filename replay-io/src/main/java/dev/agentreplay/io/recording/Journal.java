package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.log.LogSegments;
import dev.agentreplay.io.log.Recovery;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The append-only journal of a log: writes lines in order, completely or not at all, to one segment
 * or several. Every method is called under the lock of the {@link LogAppender}, unless it says
 * otherwise; {@link GroupCommit} lets one thread at a time force or truncate the file.
 *
 * <p>The states are sound, torn and failed. The journal is torn while a line is written. If the
 * write fails, the torn write is rolled back by truncating the file, and the journal is sound
 * again. If the rollback or an fsync fails, it is unknown which bytes are on disk: the journal has
 * failed permanently, and nothing more is written.
 *
 * <p>An Error, as when memory or stack runs out, is such a failure. States are recorded by
 * assignments alone, before any operation that needs memory: a method of this class has completed,
 * or had no effect, or left the journal torn, which the next call repairs, or failed.
 */
final class Journal implements Closeable {

  private final Disk disk;
  private final Path log;
  private final WriterOptions options;
  private final GroupCommit commit;
  private final @Nullable Flusher flusher;

  /** The lines that are not in the file yet. */
  private final LineBuffer buffer = new LineBuffer();

  /** The current segment; replaced while no other thread forces it. */
  private SegmentFile segment;

  /**
   * The number of bytes of the log that are in files; read without the lock by threads that force
   * them.
   */
  private volatile long written;

  private volatile @Nullable Throwable failure;

  /** Whether a part of a line may be in the file after its length. */
  private boolean torn;

  /** The rollback of that part; created early, because it is needed when memory runs out. */
  private final GroupCommit.Force cut = this::cut;

  private boolean closed;

  /**
   * Creates a journal that appends to a segment; all bytes of the log before {@code forced} are
   * forced.
   */
  private Journal(Disk disk, Path log, WriterOptions options, SegmentFile segment, long forced) {
    this.disk = disk;
    this.log = log;
    this.options = options;
    this.segment = segment;
    this.written = segment.end();
    this.commit = new GroupCommit(this::forceWritten, forced);
    this.flusher = options.durability() == Durability.INTERVAL
        ? new Flusher(log, options.forceInterval(), () -> commit.await(written), this::fail)
        : null;
    if (flusher != null) {
      flusher.start();
    }
  }

  /**
   * Creates a log with its header, which is forced to disk with the directory entry; a failure
   * leaves nothing.
   */
  static Journal create(Disk disk, Path log, WriterOptions options, LineEncoder header)
      throws IOException {
    SegmentFile first = SegmentFile.create(disk, log, 1, 0, header);
    try {
      return new Journal(disk, log, options, first, first.end());
    } catch (Throwable e) {
      SegmentFile.undo(disk, log, first.file, e);
      throw e;
    }
  }

  /**
   * Opens a log to append to it; all its segments except the last were forced to disk before.
   *
   * @param isBegun whether the last segment has only the line that every segment begins with
   */
  static Journal append(
      Disk disk, Path log, WriterOptions options, Recovery.Extent extent, boolean isBegun)
      throws IOException {
    SegmentFile last = SegmentFile.open(disk, log, extent, isBegun);
    try {
      // its writer may have been killed before it forced the directory entry
      disk.forceParent(LogSegments.file(log, last.number));
      return new Journal(disk, log, options, last, last.start);
    } catch (Throwable e) {
      LogRelease.close(last.file, e);
      throw e;
    }
  }

  /** The offset of the next line in the log. */
  long position() {
    return segment.start + segment.length + buffer.bytes;
  }

  /** The number of the last segment. */
  int segment() {
    return segment.number;
  }

  /**
   * Whether a line must be written to the next segment; false if the current segment is empty but
   * for its first line.
   */
  boolean isFullFor(LineEncoder line) {
    long bytes = segment.length + buffer.bytes;
    return bytes > segment.opening && bytes > options.maxSegmentBytes() - line.length();
  }

  /** Fails if the journal has failed; may be called without the lock. */
  void requireSound() throws IOException {
    Throwable earlier = failure;
    if (earlier != null) {
      throw ReplayWriteException.refused(log, earlier);
    }
  }

  /** Appends the line that was encoded last. */
  void append(LineEncoder line, boolean isEvent) throws IOException {
    if (options.durability() != Durability.BUFFERED || line.length() > LineBuffer.MAX_BYTES) {
      appendUnbuffered(line);
      return;
    }
    requireSound();
    if (buffer.bytes + line.length() > LineBuffer.MAX_BYTES) {
      flush();
    }
    buffer.add(line, isEvent);
  }

  /** Appends the line that was encoded last, after the buffered lines. */
  void appendUnbuffered(LineEncoder line) throws IOException {
    requireSound();
    flush();
    requireCut();
    int bytes = line.length();
    torn = true;
    try {
      line.writeTo(segment.file);
    } catch (Throwable e) {
      throw rollBack("not written, and nothing of it is in the log", e);
    }
    segment.length += bytes;
    written = segment.start + segment.length;
    torn = false;
    if (flusher != null) {
      try {
        flusher.wake();
      } catch (Throwable e) {
        throw unforced(e);
      }
    }
  }

  /** Passes the buffered lines to the operating system; they stay buffered if that fails. */
  void flush() throws IOException {
    if (buffer.bytes == 0) {
      return;
    }
    requireSound();
    requireCut();
    torn = true;
    try {
      buffer.writeLinesTo(segment.file);
    } catch (Throwable e) {
      throw rollBack("not written, and neither is what was buffered before it", e);
    }
    segment.length += buffer.bytes;
    buffer.bytes = 0;
    buffer.events = 0;
    written = segment.start + segment.length;
    torn = false;
  }

  /** The number of buffered events, which are lost when the journal is closed. */
  int bufferedEvents() {
    return buffer.events;
  }

  /**
   * Waits until everything up to a position, which was written before, is forced to disk (fsync).
   * Called without the lock, so that several threads share one fsync.
   */
  void force(long position) throws IOException {
    try {
      commit.await(position);
    } catch (Throwable e) {
      failure = e;
      throw unforced(e);
    }
  }

  /** The exception that {@link #force} throws, for an Error before it. */
  ReplayWriteException unforced(Throwable cause) {
    return undetermined("written, but it is unknown whether it was forced to disk", cause);
  }

  /**
   * Rotates the log: begins the next segment with a line. A failure leaves the current segment as
   * it was.
   */
  void rotate(LineEncoder link) throws IOException {
    flush();
    requireSound();
    requireCut();
    Rotation rotation = new Rotation(link);
    try {
      commit.exclusively(rotation);
    } catch (Throwable e) {
      failure = e;
      throw undetermined(
          "it is unknown whether segment " + segment.number + " was forced to disk", e);
    }
    if (rotation.refused != null) {
      throw rotation.refused;
    }
  }

  /**
   * Completes writing: passes the buffered lines to the operating system, and forces everything to
   * disk if {@code forces} is true or the durability requires it. May be called again after a
   * failure; {@link #close} follows.
   */
  void finish(boolean forces) throws IOException {
    if (closed) {
      return;
    }
    if (flusher != null) {
      flusher.close();
    }
    if (torn && failure == null) {
      requireCut();
    }
    flush();
    Durability durability = options.durability();
    if (forces || durability == Durability.INTERVAL || durability == Durability.FSYNC) {
      force(written);
    }
  }

  /** Closes the file; buffered lines are lost. May be called again after a failure. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    if (flusher != null) {
      flusher.close();
    }
    try {
      commit.close();
    } finally {
      segment.file.close();
      closed = true;
    }
  }

  private long forceWritten() throws IOException {
    long upTo = written;
    try {
      segment.file.force();
    } catch (Throwable e) {
      failure = e; // immediately, for threads that write meanwhile
      throw e;
    }
    return upTo;
  }

  /** Truncates the file to its length, and forces that, so that the rollback is permanent. */
  private long cut() throws IOException {
    segment.file.truncate(segment.length);
    return forceWritten();
  }

  /** Rolls back a torn line that an Error before has left. */
  private void requireCut() throws IOException {
    try {
      if (torn) {
        commit.exclusively(cut);
        torn = false;
      }
    } catch (Throwable e) {
      throw undetermined("a part of an earlier event may be in the log", e);
    }
  }

  /**
   * Rolls back a line that could not be written, and forces that, so that it is permanent. No other
   * thread forces meanwhile, because the operating system reports a failure to one of them only.
   */
  private ReplayWriteException rollBack(String what, Throwable failed) {
    try {
      commit.exclusively(cut);
      torn = false;
    } catch (Throwable e) {
      failure = failed;
      failed.addSuppressed(e);
      return undetermined(
          "not written, but a part of it may be in the log after byte " + position(), failed);
    }
    return ReplayWriteException.rolledBack(log, what + ": " + failed, failed);
  }

  /** Fails the journal: it is unknown which bytes are on disk, and nothing more is written. */
  private ReplayWriteException undetermined(String what, Throwable cause) {
    fail(cause);
    return ReplayWriteException.undetermined(log, what + ": " + cause, cause);
  }

  /** Fails the journal; may be called without the lock. */
  private void fail(Throwable cause) {
    failure = cause;
    commit.fail(cause);
  }

  /** Completes a segment and begins the next one, while no other thread forces either. */
  private final class Rotation implements GroupCommit.Force {
    private final LineEncoder link;
    private @Nullable ReplayWriteException refused;

    Rotation(LineEncoder link) {
      this.link = link;
    }

    @Override
    public long run() throws IOException {
      forceWritten();
      SegmentFile ended = segment;
      int number = ended.number + 1;
      SegmentFile begun;
      try {
        begun = SegmentFile.create(disk, log, number, ended.end(), link);
      } catch (Throwable e) {
        String what = LogSegments.file(log, number) + " cannot be created";
        refused = SegmentFile.mayRemain(e)
            ? undetermined(what, e)
            : ReplayWriteException.rolledBack(log, what + ": " + e, e);
        return written;
      }
      segment = begun;
      written = begun.start + begun.length;
      try {
        ended.file.close();
      } catch (IOException e) { // it was forced before
        WriterLog.warning(log, "a completed segment could not be closed: " + e);
      } catch (Throwable e) {
        ended.file.close();
      }
      return written;
    }
  }
}
