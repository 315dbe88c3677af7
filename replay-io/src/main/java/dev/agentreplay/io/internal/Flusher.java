package dev.agentreplay.io.internal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that forces what was written, some time later. A failure is not its to report: it stays
 * with what it forces, which refuses everything from then on.
 */
final class Flusher implements Closeable {

  /** Forces what was written. */
  interface Action {
    void run() throws IOException;
  }

  private final Path log;
  private final long delayNanos;
  private final Action action;
  private final Thread thread;
  private volatile boolean awake;
  private volatile boolean closed;

  Flusher(Path log, Duration delay, Action action) {
    this.log = log;
    this.delayNanos = delay.toNanos();
    this.action = action;
    this.thread = new Thread(this::run, "replay-flusher-" + log.getFileName());
    this.thread.setDaemon(true);
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
        WriterLog.error(log, "what was written may be lost; nothing more is written", e);
        return;
      }
    }
  }
}
