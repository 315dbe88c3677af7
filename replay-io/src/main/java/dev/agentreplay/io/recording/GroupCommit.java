package dev.agentreplay.io.recording;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Group commit: lets threads that wait for an fsync share one. A thread that arrives during an
 * fsync is served by the next one. That one waits, at most as long as the previous fsync took,
 * until as many threads have arrived as before; otherwise they would be served in turns, half of
 * them at a time. The last thread to arrive runs the fsync for all, so that no thread has to be
 * woken to run it. Safe for use by several threads.
 *
 * <p>Once an fsync has failed, all later ones fail without an attempt: the operating system may
 * report a failure once, and then discard the data that it could not write.
 *
 * <p>A thread may run out of memory or stack anywhere. The right to force is acquired and released
 * in one method, and the release neither allocates nor calls a method of this class; if a thread
 * fails before it has that right, other threads acquire it when their waiting time has passed.
 */
final class GroupCommit {

  /** Forces written lines to disk. Returns the offset up to which all bytes are forced. */
  interface Force {
    long run() throws IOException;
  }

  /** A waiting thread. */
  private static final class Waiter {
    final Thread thread = Thread.currentThread();

    /** Whether a force that began after the thread arrived has ended, successfully or not. */
    volatile boolean served;
  }

  private static final long FIRST_PATIENCE_NANOS = 1_000_000;

  /** The minimum waiting time; a shorter one is not worth sleeping for. */
  private static final long MIN_PATIENCE_NANOS = 20_000;

  private final Force force;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition idle = lock.newCondition();

  /**
   * The reason why nothing is forced after {@link #close}; created early, so that closing needs no
   * memory.
   */
  private final Throwable closed = new IllegalStateException("the writer was closed");

  private volatile long forced;
  private volatile @Nullable Throwable failure;
  private boolean forcing;

  /** The threads that wait for the next force. */
  private List<Waiter> waiting = new ArrayList<>();

  /** The number of threads for which the next force waits. */
  private int company;

  private volatile long patienceNanos = FIRST_PATIENCE_NANOS;

  /**
   * Creates a group commit.
   *
   * @param forced the offset up to which all bytes are forced already
   */
  GroupCommit(Force force, long forced) {
    this.force = force;
    this.forced = forced;
  }

  /**
   * Waits until all bytes up to an offset, which were written before, are forced.
   *
   * @throws IOException if this fails, or an earlier force has failed
   */
  void await(long upTo) throws IOException {
    if (forced >= upTo) {
      return;
    }
    Waiter waiter = new Waiter();
    boolean hasForced = forceFor(waiter, true);
    boolean interrupted = false;
    try {
      long deadline = System.nanoTime() + patienceNanos;
      while (!hasForced && !waiter.served && failure == null) {
        LockSupport.parkNanos(this, deadline - System.nanoTime());
        interrupted |= Thread.interrupted(); // the caller must know whether it was forced
        if (!waiter.served && System.nanoTime() - deadline >= 0) {
          hasForced = forceFor(waiter, false);
          deadline = System.nanoTime() + patienceNanos;
        }
      }
      if (forced < upTo) {
        requireSound();
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Runs a different force, while no other thread forces. */
  void exclusively(Force other) throws IOException {
    lock.lock();
    try {
      while (forcing) {
        idle.awaitUninterruptibly();
      }
      requireSound();
      run(other);
    } finally {
      lock.unlock();
    }
  }

  /** Serves the waiting threads; nothing is forced after that. */
  void close() throws IOException {
    lock.lock();
    try {
      while (forcing) {
        idle.awaitUninterruptibly();
      }
      if (!waiting.isEmpty() && failure == null) {
        run(force);
      }
    } finally {
      lock.unlock();
      fail(closed);
    }
  }

  /** Ends all forcing, unless it has ended already: it is unknown which bytes are on disk. */
  void fail(Throwable cause) {
    lock.lock();
    try {
      failure = failure == null ? cause : failure;
      for (int i = 0; i < waiting.size(); i++) { // they throw
        LockSupport.unpark(waiting.get(i).thread);
      }
    } finally {
      lock.unlock();
    }
  }

  private void requireSound() throws IOException {
    Throwable earlier = failure;
    if (earlier != null) {
      throw new IOException("fsync is not attempted any more: " + earlier.getMessage(), earlier);
    }
  }

  /**
   * Forces for the waiting threads, if it is the turn of this one: when it arrives as the last of
   * them, or when its waiting time has passed. Returns whether it has forced.
   */
  private boolean forceFor(Waiter waiter, boolean comes) throws IOException {
    lock.lock();
    try {
      if (comes) {
        requireSound();
        waiting.add(waiter);
      }
      boolean isItsTurn =
          comes ? waiting.size() >= company : failure == null && waiting.contains(waiter);
      if (forcing || !isItsTurn) {
        return false;
      }
      run(force);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Forces, and notifies the threads that have waited until now. The caller holds the lock once; it
   * is released during the force.
   */
  private void run(Force action) throws IOException {
    List<Waiter> next = new ArrayList<>(waiting.size());
    List<Waiter> served = waiting;
    long start = System.nanoTime();
    long upTo = forced;
    waiting = next;
    forcing = true;
    lock.unlock();
    try {
      upTo = action.run();
    } catch (Throwable e) {
      failure = failure == null ? e : failure;
      throw e;
    } finally {
      lock.lock();
      forced = upTo;
      forcing = false;
      company = served.size() + waiting.size();
      patienceNanos = Math.max(System.nanoTime() - start, MIN_PATIENCE_NANOS);
      idle.signalAll();
      for (int i = 0; i < served.size(); i++) {
        Waiter waiter = served.get(i);
        waiter.served = true;
        if (waiter.thread != Thread.currentThread()) {
          LockSupport.unpark(waiter.thread);
        }
      }
      if (failure != null) { // threads that arrived meanwhile throw
        for (int i = 0; i < waiting.size(); i++) {
          LockSupport.unpark(waiting.get(i).thread);
        }
      }
    }
  }
}
