package dev.agentreplay.io.internal;

import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.io.Durability;
import dev.agentreplay.io.ReplayWriteException;
import dev.agentreplay.io.WriterOptions;
import java.io.ByteArrayOutputStream;
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
 */
public final class Journal {

  private static final int BUFFER_BYTES = 1 << 16;

  private final Disk disk;
  private final Path log;
  private final WriterOptions options;
  private final GroupCommit commit;
  private final @Nullable Flusher flusher;

  /** Lines that are not in the file yet, and how many bytes they are. */
  private final ByteArrayOutputStream buffer = new ByteArrayOutputStream(0);

  private int buffered;

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
    this.flusher = options.durability() == Durability.GROUP
        ? new Flusher(log, options.groupDelay(), () -> commit.await(written))
        : null;
  }

  /**
   * Creates a log with its header, which is forced to the disk with its name; or leaves nothing.
   */
  public static Journal create(Disk disk, Path log, WriterOptions options, LineEncoder header)
      throws IOException {
    AppendFile file = begin(disk, log, header);
    int length = header.length();
    Journal created = new Journal(disk, log, options, file, 1, 0, length, length);
    created.opening = length;
    return created.start();
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
    Path path = LogParts.file(log, part);
    AppendFile file = disk.append(path);
    Journal existing = new Journal(disk, log, options, file, part, before, length, before);
    existing.opening = isBegun ? length : 0;
    try {
      disk.forceParent(path); // whoever created it may not have come to that
      return existing.start();
    } catch (IOException | RuntimeException | Error e) {
      closeAfter(e, file);
      throw e;
    }
  }

  /** Starts the thread of {@link Durability#GROUP}; without it, nothing is kept open. */
  private Journal start() throws IOException {
    try {
      if (flusher != null) {
        flusher.start();
      }
      return this;
    } catch (Error e) { // no more threads
      closeAfter(e, file);
      throw e;
    }
  }

  private static void closeAfter(Throwable failure, AppendFile file) {
    try {
      file.close();
    } catch (IOException e) {
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
    return bytes > opening && bytes > options.maxPartBytes() - line.length();
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
   * @throws ReplayWriteException if it is not there, or it is not known whether it is
   */
  public void append(LineEncoder line) throws IOException {
    if (options.durability() != Durability.BUFFERED || line.length() > BUFFER_BYTES) {
      appendUnbuffered(line);
      return;
    }
    requireSound();
    if (buffered + line.length() > BUFFER_BYTES) {
      flush();
    }
    line.writeTo(buffer);
    buffered += line.length();
  }

  /** Appends the line that was encoded last, and what is buffered before it. */
  public void appendUnbuffered(LineEncoder line) throws IOException {
    requireSound();
    flush();
    try {
      line.writeTo(file);
    } catch (IOException | RuntimeException | Error e) {
      throw rollBack("not written, and nothing of it is in the log", e);
    }
    advance(line.length());
    if (flusher != null) {
      flusher.wake();
    }
  }

  /** Hands what is buffered to the operating system; it stays buffered when that fails. */
  public void flush() throws IOException {
    if (buffered == 0) {
      return;
    }
    requireSound();
    try {
      buffer.writeTo(file);
    } catch (IOException | RuntimeException | Error e) {
      throw rollBack("not written, and neither is what was buffered before it", e);
    }
    buffer.reset();
    int flushed = buffered;
    buffered = 0;
    advance(flushed);
  }

  /**
   * Returns when everything up to a position, which was written before, is forced to the disk.
   * Called without the lock, so that several threads may share one force.
   */
  public void force(long position) throws IOException {
    try {
      commit.await(position);
    } catch (IOException | RuntimeException | Error e) {
      throw undetermined("written, but not known to be on the disk", e);
    }
  }

  /** Goes on in the next part, which begins with a line; or leaves everything as it was. */
  public void rotate(LineEncoder link) throws IOException {
    flush();
    requireSound();
    Rotation rotation = new Rotation(link);
    try {
      commit.exclusively(rotation);
    } catch (IOException | RuntimeException | Error e) {
      throw undetermined("part " + part + " is not known to be on the disk", e);
    }
    if (rotation.refused != null) {
      throw rotation.refused;
    }
  }

  /** Ends writing. What is there is forced before, if it is to be or the durability demands it. */
  public void close(boolean forces) throws IOException {
    Durability durability = options.durability();
    if (flusher != null) {
      flusher.close();
    }
    try {
      flush();
      if (forces || durability == Durability.GROUP || durability == Durability.DURABLE) {
        force(written);
      }
    } finally {
      try {
        commit.close();
      } finally {
        file.close();
      }
    }
  }

  private void advance(long bytes) {
    length += bytes;
    written = before + length;
  }

  private long forceWritten() throws IOException {
    long upTo = written;
    try {
      file.force();
    } catch (IOException | RuntimeException | Error e) {
      failure = e; // at once, for who writes meanwhile
      throw e;
    }
    return upTo;
  }

  /**
   * Cuts off what was written of a line. What that leaves is forced, so that it stays so; nobody
   * else forces meanwhile, for the operating system tells of a failure only one of them.
   */
  private ReplayWriteException rollBack(String what, Throwable failed) {
    try {
      commit.exclusively(() -> {
        file.truncate(length);
        return forceWritten();
      });
      return ReplayWriteException.rolledBack(log, what + ": " + failed, failed);
    } catch (IOException | RuntimeException | Error e) {
      failed.addSuppressed(e);
      return undetermined(
          "not written, but a part of it may be in the log behind byte " + position(), failed);
    }
  }

  /** Nobody knows what is on the disk: nothing more is written. */
  private ReplayWriteException undetermined(String what, Throwable cause) {
    failure = cause;
    commit.fail(cause);
    return ReplayWriteException.undetermined(log, what + ": " + cause, cause);
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
    } catch (IOException | RuntimeException | Error e) {
      if (begun != null) {
        closeAfter(e, begun);
      }
      try {
        disk.delete(path);
        disk.forceParent(path);
      } catch (IOException | RuntimeException again) {
        e.addSuppressed(new NotDeletedException(path, again));
      }
      throw e;
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
      Path next = LogParts.file(log, part + 1);
      AppendFile begun;
      try {
        begun = begin(disk, next, link);
      } catch (IOException | RuntimeException | Error e) {
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
      length = 0;
      opening = link.length();
      advance(opening);
      try {
        ended.close();
      } catch (IOException e) { // all of it is on the disk
        WriterLog.warning(log, "a part that has ended could not be closed: " + e);
      }
      return written;
    }
  }

  /** Something of a file that could not be begun may still be there. */
  private static final class NotDeletedException extends IOException {
    private static final long serialVersionUID = 1L;

    NotDeletedException(Path file, Exception cause) {
      super(file + " may still be there", cause);
    }
  }
}
