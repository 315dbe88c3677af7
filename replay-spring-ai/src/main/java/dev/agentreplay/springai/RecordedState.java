package dev.agentreplay.springai;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of the recording of an invocation. A stream is cancelled by any thread, also while
 * different threads record its events: each is recorded before the end or not at all. The last of
 * these threads then records the end, so that no thread waits for a different one, or for the code
 * of the application. Safe for use by several threads.
 */
final class RecordedState {

  /** The number of actions in progress; guarded by this. */
  private int running;

  /** The end that was requested, until it is recorded; guarded by this. */
  private @Nullable Runnable pendingEnd;

  private volatile boolean hasEnded;

  /** Whether the end has been requested. */
  boolean hasEnded() {
    return hasEnded;
  }

  /** Records something, unless the recording has ended; returns null if it has. */
  <T> @Nullable T ifOpen(Supplier<? extends @Nullable T> action) {
    synchronized (this) {
      if (hasEnded) {
        return null;
      }
      running++;
    }
    try {
      return action.get();
    } finally {
      leave();
    }
  }

  /** Ends the recording when nothing is being recorded, the first time that it is called. */
  void end(Runnable end) {
    synchronized (this) {
      if (hasEnded) {
        return;
      }
      hasEnded = true;
      pendingEnd = end;
      running++;
    }
    leave();
  }

  private void leave() {
    Runnable end;
    synchronized (this) {
      running--;
      if (running > 0 || pendingEnd == null) {
        return;
      }
      end = pendingEnd;
      pendingEnd = null;
    }
    end.run();
  }
}
