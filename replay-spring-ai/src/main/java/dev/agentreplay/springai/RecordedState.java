package dev.agentreplay.springai;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The recording of an invocation, which is open until it ends. A stream is cancelled by any thread,
 * also while different threads record its events: each is recorded before the end or not at all.
 * Safe for use by several threads.
 */
final class RecordedState {

  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean hasEnded;

  /** Whether it has ended. */
  boolean hasEnded() {
    return hasEnded;
  }

  /** Records something, unless the recording has ended; returns null if it has. */
  <T> @Nullable T ifOpen(Supplier<? extends @Nullable T> action) {
    lock.lock();
    try {
      return hasEnded ? null : action.get();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends the recording, the first time that it is called.
   *
   * @param last records what is still open
   * @param end ends the session
   */
  void end(Runnable last, Runnable end) {
    lock.lock();
    try {
      if (!hasEnded) {
        last.run();
        hasEnded = true;
        end.run();
      }
    } finally {
      lock.unlock();
    }
  }
}
