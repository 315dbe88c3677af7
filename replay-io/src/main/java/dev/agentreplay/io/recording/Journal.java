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
 * The lines of a log on their way to the disk: one after the other, whole or not at all, in one
 * segment or several. Every method is called under the lock of the {@link LogAppender}, but for
 * those that say otherwise; {@link GroupCommit} lets one thread at a time force or cut the file.
 *
 * <p>The states are sound, torn and failed. The journal is torn while a line is written. When that
 * fails, what is in the file of the line is cut off again, and the journal is sound. When cutting
 * or an fsync fails, it is not known what is on the disk: the journal has failed, for good, and
 * nothing more is written.
 *
 * <p>An Error, as when memory or stack runs out, is such a failure. Its state is recorded by
 * assignments alone, before anything that needs memory: a method of this class has done all it
 * should, or nothing, or left the journal torn, which the next call repairs, or failed.
 */
final class Journal implements Closeable {

  private final Disk disk;
  private final Path log;
  private final WriterOptions options;
  private final GroupCommit commit;
  private final @Nullable Flusher flusher;

  /** The lines that are not in the file yet. */
  private final LineBuffer buffer = new LineBuffer();

  /** The last segment; replaced when no other thread forces it. */
  private SegmentFile segment;

  /** The bytes of the log that are in files; a thread that forces them has no lock. */
  private volatile long written;

  private volatile @Nullable Throwable failure;

  /** Whether a part of a line may be in the file behind its length. */
  private boolean torn;

  /** Cuts that off; made early, because it is needed when memory runs out. */
  private final GroupCommit.Force cut = this::cut;

  private boolean closed;

  /** Appends to a segment, where all bytes of the log before an offset are forced. */
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

  /** Creates a log with its header, forced to the disk with its name; or leaves nothing. */
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
   * Opens a log to append to it, whose segments were forced to the disk but for the last. That is
   * begun if it has only the line that every segment begins with.
   */
  static Journal append(
      Disk disk, Path log, WriterOptions options, Recovery.Extent extent, boolean isBegun)
      throws IOException {
    SegmentFile last = SegmentFile.open(disk, log, extent, isBegun);
    try {
      // its name is not forced if the writer that created it was killed first
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

  /** Whether a line belongs into the next segment; there is a line in this one then. */
  boolean isFullFor(LineEncoder line) {
    long bytes = segment.length + buffer.bytes;
    return bytes > segment.opening && bytes > options.maxSegmentBytes() - line.length();
  }

  /** Fails if nothing may be written any more; may be called without the lock. */
  void requireSound() throws IOException {
    Throwable earlier = failure;
    if (earlier != null) {
      throw ReplayWriteException.refused(log, earlier);
    }
  }

  /** Appends the line that was encoded last, which may be an event of the caller. */
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

  /** Appends the line that was encoded last, and what is buffered before it. */
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

  /** Hands what is buffered to the operating system; it stays buffered when that fails. */
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
   * Returns when everything up to a position, which was written before, is forced to the disk.
   * Called without the lock, so that several threads may share one force.
   */
  void force(long position) throws IOException {
    try {
      commit.await(position);
    } catch (Throwable e) {
      failure = e;
      throw unforced(e);
    }
  }

  /** Fails as {@link #force} does, because of an Error before it. */
  ReplayWriteException unforced(Throwable cause) {
    return undetermined("written, but not known to be on the disk", cause);
  }

  /** Begins the next segment with a line; or leaves everything as it was. */
  void rotate(LineEncoder link) throws IOException {
    flush();
    requireSound();
    requireCut();
    Rotation rotation = new Rotation(link);
    try {
      commit.exclusively(rotation);
    } catch (Throwable e) {
      failure = e;
      throw undetermined("segment " + segment.number + " is not known to be on the disk", e);
    }
    if (rotation.refused != null) {
      throw rotation.refused;
    }
  }

  /**
   * Ends writing: hands over what is buffered, and forces everything if it is to be or the
   * durability demands it. May be called again when it has failed; {@link #close} follows.
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

  /** Gives up the file; what is buffered is lost. May be called again when it has failed. */
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
      failure = e; // at once, for a thread that writes meanwhile
      throw e;
    }
    return upTo;
  }

  /** Cuts off what is behind the length of the file. What that leaves is forced to stay so. */
  private long cut() throws IOException {
    segment.file.truncate(segment.length);
    return forceWritten();
  }

  /** Cuts off what an Error has left of a line before, because no roll back came to it. */
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
   * Cuts off what was written of a line. What that leaves is forced, so that it stays so; no other
   * thread forces meanwhile, for the operating system tells only one of them of a failure.
   */
  private ReplayWriteException rollBack(String what, Throwable failed) {
    try {
      commit.exclusively(cut);
      torn = false;
    } catch (Throwable e) {
      failure = failed;
      failed.addSuppressed(e);
      return undetermined(
          "not written, but a part of it may be in the log behind byte " + position(), failed);
    }
    return ReplayWriteException.rolledBack(log, what + ": " + failed, failed);
  }

  /** It is not known what is on the disk: nothing more is written. */
  private ReplayWriteException undetermined(String what, Throwable cause) {
    fail(cause);
    return ReplayWriteException.undetermined(log, what + ": " + cause, cause);
  }

  /** Nothing more is written; may be called without the lock. */
  private void fail(Throwable cause) {
    failure = cause;
    commit.fail(cause);
  }

  /** Ends a segment and begins the next one, while no other thread forces either. */
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
        String what = LogSegments.file(log, number) + " cannot be begun";
        refused = SegmentFile.mayRemain(e)
            ? undetermined(what, e)
            : ReplayWriteException.rolledBack(log, what + ": " + e, e);
        return written;
      }
      segment = begun;
      written = begun.start + begun.length;
      try {
        ended.file.close();
      } catch (IOException e) { // all of it is on the disk
        WriterLog.warning(log, "a segment that has ended could not be closed: " + e);
      } catch (Throwable e) {
        ended.file.close();
      }
      return written;
    }
  }
}
