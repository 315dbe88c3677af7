package dev.agentreplay.engine.replay;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Controls a replay from other threads: pauses and resumes it, lets it proceed by single exchanges,
 * and aborts it. A pause takes effect before the next exchange; an abort at once. A control is for
 * one replay, may be used before it starts, and is safe for use by several threads.
 */
public final class ReplayControl {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Guarded by the lock, as are the fields below. */
  private boolean isPaused;

  private long steps;
  private boolean isEnded;
  private boolean isClaimed;
  private @Nullable String aborted;
  private @Nullable Runnable onAbort;
  private long pausedSince;
  private long pausedNanos;

  /** Creates a control. */
  public ReplayControl() {}

  /** Pauses the replay before its next exchange. */
  public void pause() {
    lock.lock();
    try {
      if (!isPaused) {
        isPaused = true;
        pausedSince = System.nanoTime();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Resumes the replay. */
  public void resume() {
    lock.lock();
    try {
      if (isPaused) {
        isPaused = false;
        pausedNanos += System.nanoTime() - pausedSince;
        changed.signalAll();
      }
      steps = 0;
    } finally {
      lock.unlock();
    }
  }

  /** Lets one more exchange proceed while the replay is paused; pauses it if it is not. */
  public void step() {
    lock.lock();
    try {
      pause();
      steps++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Aborts the replay: running executions are interrupted, and the agent gets a
   * {@link ReplayStoppedException} from each request. Later aborts are ignored.
   *
   * @param reason the reason, for the report
   */
  public void abort(String reason) {
    Runnable action;
    lock.lock();
    try {
      if (aborted != null) {
        return;
      }
      aborted = reason;
      action = onAbort;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (action != null) {
      action.run();
    }
  }

  /** Whether the replay is paused. */
  public boolean isPaused() {
    lock.lock();
    try {
      return isPaused;
    } finally {
      lock.unlock();
    }
  }

  /** The reason of the abort; null if the replay was not aborted. */
  @Nullable
  String aborted() {
    lock.lock();
    try {
      return aborted;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Claims the control for a replay that starts.
   *
   * @throws IllegalStateException if a replay has used it
   */
  void claim() {
    lock.lock();
    try {
      if (isClaimed) {
        throw new IllegalStateException(
            "a replay runs once, and so does its control: create others");
      }
      isClaimed = true;
    } finally {
      lock.unlock();
    }
  }

  /** Sets the action of an abort, which is run at once if it was aborted already. */
  void onAbort(Runnable action) {
    boolean isAborted;
    lock.lock();
    try {
      onAbort = action;
      isAborted = aborted != null;
    } finally {
      lock.unlock();
    }
    if (isAborted) {
      action.run();
    }
  }

  /** Ends the pause of a replay that has ended. */
  void end() {
    lock.lock();
    try {
      isEnded = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits while the replay is paused. Returns at once when it is aborted, or has ended.
   *
   * @throws InterruptedException if this thread has to wait, and is interrupted
   */
  void await() throws InterruptedException {
    lock.lock();
    try {
      while (isPaused && steps == 0 && aborted == null && !isEnded) {
        changed.await();
      }
      if (isPaused && steps > 0) {
        steps--;
      }
    } finally {
      lock.unlock();
    }
  }

  /** The time for which the replay was paused, in nanoseconds. */
  long pausedNanos() {
    lock.lock();
    try {
      return pausedNanos + (isPaused ? System.nanoTime() - pausedSince : 0);
    } finally {
      lock.unlock();
    }
  }
}
