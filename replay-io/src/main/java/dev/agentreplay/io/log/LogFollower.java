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
 * Follows a log while it is written by any process, like {@code tail -f}: from its first line to
 * the end of the session, through all segments.
 *
 * <pre>{@code
 * try (LogFollower log = LogFollower.open(Path.of("REPLAY.jsonl"))) {
 *   for (ReplayLine line = log.next(); line != null; line = log.next()) {
 *     System.out.println(line.event());
 *   }
 * }
 * }</pre>
 *
 * <p>A line is returned once its line feed has been written, and the {@link LogSegment} at the
 * beginning of a segment once more bytes follow it: until then, a writer that fails to force the
 * file to disk deletes it. Bytes after the last line feed are read again each time, because the
 * writer may roll them back and write other bytes in their place. It is an error if a file becomes
 * shorter than the lines that were read of it, is deleted, or is replaced.
 *
 * <p>The file is polled at intervals of {@link FollowOptions#pollInterval}, and is not kept open in
 * between. A follower does not wait after a {@link SessionEnd}: it returns the lines that already
 * follow it, so that the end of a session does not hide them, and then null.
 *
 * <p>One thread reads; {@link #close} may be called by any thread.
 */
public final class LogFollower implements Closeable {

  private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

  private final Path file;
  private final FollowOptions options;
  private final CountDownLatch closed = new CountDownLatch(1);

  /** Held while a file is open; {@link #close} waits for it. */
  private final ReentrantLock looking = new ReentrantLock();

  /** The log that is followed; null until its file exists. */
  private @Nullable Following log;

  private volatile boolean ended;

  /** A log whose file exists. */
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

  /** Follows a log as {@link #open(Path, FollowOptions)} does, with the default options. */
  public static LogFollower open(Path file) throws IOException {
    return open(file, FollowOptions.defaults());
  }

  /**
   * Follows a log from its first line.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such file, and the options do not
   *     specify to wait for it
   * @throws IOException if it is compressed, or not a regular file
   */
  public static LogFollower open(Path file, FollowOptions options) throws IOException {
    return !options.awaitsFile() || Files.exists(file)
        ? of(file, LogBytes.openPlain(LocalDisk.INSTANCE, file), options)
        : new LogFollower(file, options);
  }

  /** Follows a log whose bytes are read from a given source. */
  static LogFollower of(Path file, LogBytes in, FollowOptions options) {
    LogFollower follower = new LogFollower(file, options);
    follower.log = follower.begin(in);
    return follower;
  }

  /**
   * The dialect of the log; null before the first line that is a JSON object, and if that has no
   * tag.
   */
  public @Nullable Dialect dialect() {
    return log == null ? null : log.decoder().dialect();
  }

  /** The format that the file seems to have, as {@link ReplayReader#foreignFormat} states it. */
  public @Nullable String foreignFormat() {
    return log == null ? null : log.decoder().foreignFormat();
  }

  /** Whether the end of the session was read, so that the follower does not wait for more lines. */
  public boolean isEnded() {
    return ended;
  }

  /**
   * Returns the next line, and waits for it. Returns null if there will not be another line: the
   * end of the session was read, or the follower is closed.
   *
   * @throws ReplayFormatException if the line is not an event; the next call returns the line after
   *     it
   * @throws IOException if the file cannot be read, or was truncated or replaced; the follower
   *     cannot be used any more
   * @throws InterruptedException if the thread is interrupted while it waits; the follower can
   *     still be used
   */
  public @Nullable ReplayLine next() throws IOException, InterruptedException {
    return next(FOREVER);
  }

  /**
   * Returns the next line, and waits for it for at most the given time; zero or less checks once.
   * Returns null if no line came in that time, or if there will not be another line: the end of the
   * session was read ({@link #isEnded} returns true), or the follower is closed.
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

  /**
   * Closes the follower, and wakes the thread that waits for a line. Has no effect if it is closed
   * already.
   */
  @Override
  public void close() throws IOException {
    closed.countDown();
    looking.lock();
    try {
      if (log != null) {
        log.decoder().close();
        log.in().close();
      }
    } finally {
      looking.unlock();
    }
  }

  /** The next line, if it is complete now. */
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
      // of an earlier line or of this one, which the next look reads again
    }
    log.goTo(start);
    return null;
  }

  private static @Nullable ReplayLine committed(Following log, Position start) throws IOException {
    LineSplitter lines = log.lines();
    try {
      boolean found = lines.next();
      if (found && lines.isTerminated() && lines.isPieced()) {
        // the pieces may be of a line that was rolled back, and of the one that replaced it
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
