package dev.agentreplay.io.recording;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The background thread of {@link Durability#INTERVAL}, which forces written lines to disk (fsync)
 * after a delay. If this fails, or the thread ends with an Error, the journal is notified and
 * refuses further events.
 */
final class Flusher implements Closeable {

  /** Forces written lines to disk. */
  interface Action {
    void run() throws IOException;
  }

  private final Path log;
  private final long delayNanos;
  private final Action action;
  private final Consumer<Throwable> failed;
  private final Thread thread;
  private volatile boolean awake;
  private volatile boolean closed;

  Flusher(Path log, Duration delay, Action action, Consumer<Throwable> failed) {
    this.log = log;
    this.delayNanos = delay.toNanos();
    this.action = action;
    this.failed = failed;
    this.thread = new Thread(this::run, "replay-flusher-" + log.getFileName());
    this.thread.setDaemon(true);
    this.thread.setUncaughtExceptionHandler((dead, cause) -> fail(cause));
  }

  void start() {
    thread.start();
  }

  /** Wakes the thread after a write. */
  void wake() {
    if (!awake) {
      awake = true;
      LockSupport.unpark(thread);
    }
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  private void run() {
    while (!closed) {
      if (!awake) {
        LockSupport.park(this);
        continue;
      }
      long deadline = System.nanoTime() + delayNanos;
      for (long left = delayNanos; left > 0 && !closed; left = deadline - System.nanoTime()) {
        LockSupport.parkNanos(this, left);
      }
      awake = false;
      try {
        action.run();
      } catch (IOException e) {
        fail(e);
        return;
      }
    }
  }

  private void fail(Throwable cause) {
    failed.accept(cause);
    WriterLog.error(
        log,
        "written events may not have been forced to disk (fsync); further events are refused",
        cause);
  }
}
