package dev.agentreplay.io.recording;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A thread that forces what was written, some time later. When that fails, or the thread dies of an
 * Error, the log is told, which refuses everything from then on.
 */
final class Flusher implements Closeable {

  /** Forces what was written. */
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

  /** Something was written. */
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
    WriterLog.error(log, "what was written may be lost; nothing more is written", cause);
  }
}
