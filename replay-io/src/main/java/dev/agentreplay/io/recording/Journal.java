package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.io.file.AppendFile;
import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.log.LogSegments;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a log on their way to the disk: one after the other, whole or not at all, in one
 * file or in several parts. Methods are called under the lock of the writer, unless they say that
 * they are not.
 *
 * <p>When a line cannot be written, what is there of it is cut off again, and the log goes on. When
 * that fails, or a force, nobody knows what is on the disk, and nothing more is written.
 *
 * <p>An Error, as when memory or stack runs out, is such a failure. Its state is recorded by
 * assignments alone, before anything that needs memory: a method of this class has done all it
 * should, or nothing, or the journal has failed.
 */
public final class Journal implements Closeable {

  private static final int BUFFER_BYTES = 1 << 16;
  private static final String UNFORCED = "written, but not known to be on the disk";

  private final Disk disk;
  private final Path log;
  private final WriterOptions options;
  private final GroupCommit commit;
  private final @Nullable Flusher flusher;

  /** Lines that are not in the file yet, and how many bytes they are. */
  private final Buffer buffer = new Buffer();

  private int buffered;

  /** How many of the lines that are not in the file yet are events of the caller. */
  private int bufferedEvents;

  private AppendFile file;
  private int part;

  /** The bytes of the parts before this one. */
  private long before;

  /** The bytes of this part's file. */
  private long length;

  /** The bytes of the line that this part begins with, if this journal has written it. */
  private long opening;

  /** The bytes of the log that are in files; whoever forces them reads it without the lock. */
  private volatile long written;

  private volatile @Nullable Throwable failure;

  /** Whether a part of a line may be in the file behind its length. */
  private boolean torn;

  /** Cuts that off; made early, because it is needed when memory runs out. */
  private final GroupCommit.Force cut = this::cut;

  private boolean closed;

  private Journal(
      Disk disk,
      Path log,
      WriterOptions options,
      AppendFile file,
      int part,
      long before,
      long length,
      long forced) {
    this.disk = disk;
    this.log = log;
    this.options = options;
    this.file = file;
    this.part = part;
    this.before = before;
    this.length = length;
    this.written = before + length;
    this.commit = new GroupCommit(this::forceWritten, forced);
    this.flusher = options.durability() == Durability.INTERVAL
        ? new Flusher(log, options.forceInterval(), () -> commit.await(written), this::fail)
        : null;
  }

  /**
   * Creates a log with its header, which is forced to the disk with its name; or leaves nothing.
   */
  public static Journal create(Disk disk, Path log, WriterOptions options, LineEncoder header)
      throws IOException {
    AppendFile file = begin(disk, log, header);
    try {
      int length = header.length();
      Journal created = new Journal(disk, log, options, file, 1, 0, length, length);
      created.opening = length;
      created.start();
      return created;
    } catch (Throwable e) {
      undo(disk, log, file, e);
      throw e;
    }
  }

  /**
   * Goes on with a log, whose parts were forced to the disk but for the last.
   *
   * @param part the last of its parts
   * @param before the bytes of the parts before it
   * @param length the bytes of that part
   * @param isBegun whether that part has only the line that every part begins with
   */
  public static Journal append(
      Disk disk,
      Path log,
      WriterOptions options,
      int part,
      long before,
      long length,
      boolean isBegun)
      throws IOException {
    Path path = LogSegments.file(log, part);
    AppendFile file = disk.append(path);
    try {
      Journal existing = new Journal(disk, log, options, file, part, before, length, before);
      existing.opening = isBegun ? length : 0;
      disk.forceParent(path); // whoever created it may not have come to that
      existing.start();
      return existing;
    } catch (Throwable e) {
      closeAfter(e, file);
      throw e;
    }
  }

  /** Starts the thread of {@link Durability#INTERVAL}. */
  private void start() {
    if (flusher != null) {
      flusher.start();
    }
  }

  private static void closeAfter(Throwable failure, AppendFile file) {
    try {
      file.close();
    } catch (Throwable e) {
      failure.addSuppressed(e);
    }
  }

  /** Where the next line begins in the log. */
  public long position() {
    return before + length + buffered;
  }

  /** The number of the part that is written. */
  public int part() {
    return part;
  }

  /** Whether a line belongs into the next part; there is a line in this one then. */
  public boolean isFullFor(LineEncoder line) {
    long bytes = length + buffered;
    return bytes > opening && bytes > options.maxSegmentBytes() - line.length();
  }

  /**
   * Fails if nothing may be written any more; may be called without the lock.
   *
   * @throws IOException if an earlier failure left the log in an unknown state
   */
  public void requireSound() throws IOException {
    Throwable earlier = failure;
    if (earlier != null) {
      throw ReplayWriteException.refused(log, earlier);
    }
  }

  /**
   * Appends the line that was encoded last.
   *
   * @param isEvent whether it is an event of the caller
   * @throws ReplayWriteException if it is not there, or it is not known whether it is
   */
  public void append(LineEncoder line, boolean isEvent) throws IOException {
    if (options.durability() != Durability.BUFFERED || line.length() > BUFFER_BYTES) {
      appendUnbuffered(line);
      return;
    }
    requireSound();
    if (buffered + line.length() > BUFFER_BYTES) {
      flush();
    }
    buffer.cutTo(buffered);
    line.writeTo(buffer);
    buffered = buffer.size();
    bufferedEvents += isEvent ? 1 : 0;
  }

  /** Appends the line that was encoded last, and what is buffered before it. */
  public void appendUnbuffered(LineEncoder line) throws IOException {
    requireSound();
    flush();
    requireCut();
    int bytes = line.length();
    torn = true;
    try {
      line.writeTo(file);
    } catch (Throwable e) {
      throw rollBack("not written, and nothing of it is in the log", e);
    }
    length += bytes;
    written = before + length;
    torn = false;
    if (flusher != null) {
      try {
        flusher.wake();
      } catch (Throwable e) {
        throw undetermined(UNFORCED, e);
      }
    }
  }

  /** Hands what is buffered to the operating system; it stays buffered when that fails. */
  public void flush() throws IOException {
    if (buffered == 0) {
      return;
    }
    requireSound();
    requireCut();
    buffer.cutTo(buffered);
    torn = true;
    try {
      buffer.writeTo(file);
    } catch (Throwable e) {
      throw rollBack("not written, and neither is what was buffered before it", e);
    }
    length += buffered;
    buffered = 0;
    bufferedEvents = 0;
    written = before + length;
    torn = false;
  }

  /** The number of buffered events, which are lost when the journal is closed. */
  public int bufferedEvents() {
    return bufferedEvents;
  }

  /**
   * Returns when everything up to a position, which was written before, is forced to the disk.
   * Called without the lock, so that several threads may share one force.
   */
  public void force(long position) throws IOException {
    try {
      commit.await(position);
    } catch (Throwable e) {
      failure = e;
      throw undetermined(UNFORCED, e);
    }
  }

  /** Fails as {@link #force} does, because of an Error before it. */
  public ReplayWriteException unforced(Throwable cause) {
    return undetermined(UNFORCED, cause);
  }

  /** Goes on in the next part, which begins with a line; or leaves everything as it was. */
  public void rotate(LineEncoder link) throws IOException {
    flush();
    requireSound();
    Rotation rotation = new Rotation(link);
    try {
      commit.exclusively(rotation);
    } catch (Throwable e) {
      failure = e;
      throw undetermined("part " + part + " is not known to be on the disk", e);
    }
    if (rotation.refused != null) {
      throw rotation.refused;
    }
  }

  /**
   * Ends writing: hands over what is buffered, and forces everything if it is to be or the
   * durability demands it. May be called again when it has failed; {@link #close} follows.
   */
  public void finish(boolean forces) throws IOException {
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
    try {
      commit.close();
    } finally {
      file.close();
      closed = true;
    }
  }

  private long forceWritten() throws IOException {
    long upTo = written;
    try {
      file.force();
    } catch (Throwable e) {
      failure = e; // at once, for who writes meanwhile
      throw e;
    }
    return upTo;
  }

  /** Cuts off what is behind the length of the file. What that leaves is forced to stay so. */
  private long cut() throws IOException {
    file.truncate(length);
    return forceWritten();
  }

  /** Cuts off what an Error has left of a line before, because no roll back came to it. */
  private void requireCut() throws IOException {
    if (!torn) {
      return;
    }
    try {
      commit.exclusively(cut);
      torn = false;
    } catch (Throwable e) {
      throw undetermined("a part of an earlier event may be in the log", e);
    }
  }

  /**
   * Cuts off what was written of a line. What that leaves is forced, so that it stays so; nobody
   * else forces meanwhile, for the operating system tells of a failure only one of them.
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

  /** Nobody knows what is on the disk: nothing more is written. */
  private ReplayWriteException undetermined(String what, Throwable cause) {
    fail(cause);
    return ReplayWriteException.undetermined(log, what + ": " + cause, cause);
  }

  /** Nothing more is written; may be called without the lock. */
  private void fail(Throwable cause) {
    failure = cause;
    commit.fail(cause);
  }

  /** Creates a part with its first line, which is forced to the disk with its name. */
  private static AppendFile begin(Disk disk, Path path, LineEncoder line) throws IOException {
    AppendFile begun = null;
    try {
      begun = disk.create(path);
      line.writeTo(begun);
      begun.force();
      disk.forceParent(path);
      return begun;
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (Throwable e) {
      undo(disk, path, begun, e);
      throw e;
    }
  }

  /** Deletes a part that was begun, because of a failure. */
  private static void undo(Disk disk, Path path, @Nullable AppendFile begun, Throwable failure) {
    if (begun != null) {
      closeAfter(failure, begun);
    }
    try {
      disk.delete(path);
      disk.forceParent(path);
    } catch (Throwable again) {
      failure.addSuppressed(new NotDeletedException(path, again));
    }
  }

  /** Ends a part and begins the next one, while nobody forces either. */
  private final class Rotation implements GroupCommit.Force {
    private final LineEncoder link;
    private @Nullable ReplayWriteException refused;

    Rotation(LineEncoder link) {
      this.link = link;
    }

    @Override
    public long run() throws IOException {
      forceWritten();
      Path next = LogSegments.file(log, part + 1);
      int bytes = link.length();
      AppendFile begun;
      try {
        begun = begin(disk, next, link);
      } catch (Throwable e) {
        String what = next + " cannot be begun";
        refused = Stream.of(e.getSuppressed()).anyMatch(NotDeletedException.class::isInstance)
            ? undetermined(what, e)
            : ReplayWriteException.rolledBack(log, what + ": " + e, e);
        return written;
      }
      AppendFile ended = file;
      file = begun;
      part++;
      before += length;
      length = bytes;
      opening = bytes;
      written = before + bytes;
      try {
        ended.close();
      } catch (IOException e) { // all of it is on the disk
        WriterLog.warning(log, "a part that has ended could not be closed: " + e);
      } catch (Throwable e) {
        ended.close();
      }
      return written;
    }
  }

  /** The lines that are not in the file yet. */
  private static final class Buffer extends ByteArrayOutputStream {

    Buffer() {
      super(0);
    }

    /** Forgets what an Error has left behind so many bytes. */
    void cutTo(int bytes) {
      count = bytes;
    }
  }

  /** Something of a file that could not be begun may still be there. */
  private static final class NotDeletedException extends IOException {
    private static final long serialVersionUID = 1L;

    NotDeletedException(Path file, Throwable cause) {
      super(file + " may still be there", cause);
    }
  }
}
