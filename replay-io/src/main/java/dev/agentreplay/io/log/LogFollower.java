package dev.agentreplay.io.log;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.model.LogSegment;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.finding.Position;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log while it is written, by whichever process, from its first line to the end of the
 * session, and through all its files.
 *
 * <pre>{@code
 * try (LogFollower log = LogFollower.open(Path.of("REPLAY.jsonl"))) {
 *   for (ReplayLine line = log.next(); line != null; line = log.next()) {
 *     System.out.println(line.event());
 *   }
 * }
 * }</pre>
 *
 * <p>A line is there once its line feed is; the {@link LogSegment} that a file begins with, once
 * more is behind it, for until then a writer that cannot force the file to the disk deletes it
 * again. What stands behind the last line feed is read anew each time, for the writer may take it
 * back and write something else in its place. A file that becomes shorter than the lines that were
 * read of it, goes away, or is put in the place of another is an error.
 *
 * <p>It looks at the file at intervals, {@link FollowOptions#pollInterval}, and holds nothing open
 * while it waits. After a {@link SessionEnd} it waits no more: lines that stand behind it already
 * are read, since a session's end does not hide them, and then there is no next line.
 *
 * <p>One thread reads; {@link #close} may be called by any.
 */
public final class LogFollower implements Closeable {

  private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

  private final Path file;
  private final FollowOptions options;
  private final CountDownLatch closed = new CountDownLatch(1);

  /** Held while a file is open: closing waits for it. */
  private final ReentrantLock looking = new ReentrantLock();

  /** Null until there is a file. */
  private @Nullable Following log;

  private volatile boolean ended;

  /** A log that is there. */
  private record Following(LogBytes in, LineSplitter lines, LineDecoder decoder) {

    void goTo(Position line) throws IOException {
      lines.restart(line);
      in.seek(line);
    }
  }

  private LogFollower(Path file, FollowOptions options) {
    this.file = file;
    this.options = options;
  }

  /** Follows a log as {@link #open(Path, FollowOptions)} does, with default options. */
  public static LogFollower open(Path file) throws IOException {
    return open(file, FollowOptions.defaults());
  }

  /**
   * Follows a log from its first line.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such file, and the options do not say
   *     that it is waited for
   * @throws IOException if it is compressed, or not a regular file
   */
  public static LogFollower open(Path file, FollowOptions options) throws IOException {
    return !options.awaitsFile() || Files.exists(file)
        ? of(file, LogBytes.openPlain(LocalDisk.INSTANCE, file), options)
        : new LogFollower(file, options);
  }

  /** Follows a log from where its bytes begin. */
  static LogFollower of(Path file, LogBytes in, FollowOptions options) {
    LogFollower follower = new LogFollower(file, options);
    follower.log = follower.begin(in);
    return follower;
  }

  /** The dialect of the log; null before the first line, and when its first line bears no tag. */
  public @Nullable Dialect dialect() {
    return log == null ? null : log.decoder().dialect();
  }

  /** Whether the end of the session was read, so that no line is waited for. */
  public boolean isEnded() {
    return ended;
  }

  /**
   * The next line, for which it waits. Null when none will come: the end of the session was read,
   * or the follower is closed.
   *
   * @throws ReplayFormatException if it is not an event; following may go on with the line after it
   * @throws IOException if the file cannot be read, or was cut or replaced; following ends with it
   * @throws InterruptedException if the thread is interrupted while it waits; following may go on
   */
  public @Nullable ReplayLine next() throws IOException, InterruptedException {
    return next(FOREVER);
  }

  /**
   * The next line, for which it waits for so long; zero or less looks once. Null when it is not
   * there by then, and when none will come; {@link #isEnded} tells.
   *
   * @throws ReplayFormatException as {@link #next()}
   * @throws IOException as {@link #next()}
   * @throws InterruptedException as {@link #next()}
   */
  public @Nullable ReplayLine next(Duration timeout) throws IOException, InterruptedException {
    long start = System.nanoTime();
    long allowed = nanos(timeout);
    long interval = options.pollInterval().toNanos();
    while (true) {
      ReplayLine line = look();
      long left = allowed - (System.nanoTime() - start);
      if (line != null || ended || left <= 0) {
        return line;
      }
      if (closed.await(Math.min(left, interval), TimeUnit.NANOSECONDS)) {
        return null;
      }
    }
  }

  /** Wakes the thread that waits for a line. Has no effect when closed already. */
  @Override
  public void close() throws IOException {
    closed.countDown();
    looking.lock();
    try {
      if (log != null) {
        log.in().close();
      }
    } finally {
      looking.unlock();
    }
  }

  /** The next line, if it is there now. */
  private @Nullable ReplayLine look() throws IOException {
    looking.lock();
    try {
      if (closed.getCount() == 0) {
        return null;
      }
      if (log == null && Files.exists(file)) {
        log = begin(LogBytes.openPlain(LocalDisk.INSTANCE, file));
      }
      ReplayLine line = log == null ? null : committed(log);
      if (line != null && line.event() instanceof SessionEnd) {
        ended = true;
      }
      return line;
    } finally {
      looking.unlock();
    }
  }

  private static long nanos(Duration timeout) {
    if (timeout.isNegative()) {
      return 0;
    }
    return timeout.compareTo(FOREVER) > 0 ? Long.MAX_VALUE : timeout.toNanos();
  }

  private Following begin(LogBytes in) {
    return new Following(
        in,
        new LineSplitter(in, options.reader().maxLineBytes()),
        new LineDecoder(file.toString(), in, options.reader()));
  }

  private static @Nullable ReplayLine committed(Following log) throws IOException {
    Position start = log.lines().nextPosition();
    try {
      ReplayLine line = committed(log, start);
      if (line != null) {
        return line;
      }
    } catch (LogBytes.TakenBackException e) {
      // of a line that was read already, or of this one: the next look begins with it, and tells
    }
    log.goTo(start);
    return null;
  }

  private static @Nullable ReplayLine committed(Following log, Position start) throws IOException {
    LineSplitter lines = log.lines();
    try {
      boolean found = lines.next();
      if (found && lines.isTerminated() && lines.isPieced()) {
        // the pieces may be of a line that was taken back, and of the one in its place
        log.goTo(start);
        found = lines.next();
      }
      if (!found || !lines.isTerminated()) {
        return null;
      }
    } catch (LineSplitter.LineTooLongException e) {
      if (lines.isTerminated()) {
        throw log.decoder().tooLong(lines);
      }
      return null;
    }
    ReplayLine line = log.decoder().decode(lines);
    return line.event() instanceof LogSegment && !lines.isFollowed() ? null : line;
  }
}
