package dev.agentreplay.io.recording;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets threads that wait for the disk share one force of it. Whoever comes while the disk is forced
 * is served by the next force; and that one waits, no longer than the last one took, until as many
 * threads have come as were there before, for else they would be served in turns, half of them at a
 * time. The last of them forces for all, so that nobody has to be woken for it. Safe for use by
 * several threads.
 *
 * <p>Once a force has failed, all that follow do, without trying: the operating system may report a
 * failure once, and forget what it could not write.
 *
 * <p>A thread may run out of memory or stack anywhere. The turn to force is taken and given up in
 * one method, and what gives it up neither allocates nor calls a method of this class; a thread
 * that fails before it has the turn leaves others who take it when they lose patience.
 */
final class GroupCommit {

  /** Forces what was written. Returns up to which offset. */
  interface Force {
    long run() throws IOException;
  }

  /** A thread that waits. */
  private static final class Waiter {
    final Thread thread = Thread.currentThread();

    /** Whether a force that came after it has ended, well or not. */
    volatile boolean served;
  }

  private static final long FIRST_PATIENCE_NANOS = 1_000_000;

  /** Less is not worth sleeping for. */
  private static final long MIN_PATIENCE_NANOS = 20_000;

  private final Force force;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition idle = lock.newCondition();

  /** Why nothing is forced after {@link #close}; made early, so that closing needs no memory. */
  private final Throwable closed = new IllegalStateException("the writer was closed");

  private volatile long forced;
  private volatile @Nullable Throwable failure;
  private boolean forcing;

  /** Those who wait for the next force. */
  private List<Waiter> waiting = new ArrayList<>();

  /** How many of them the next force waits for, and how long. */
  private int company;

  private volatile long patienceNanos = FIRST_PATIENCE_NANOS;

  /**
   * Shares a force.
   *
   * @param forced up to which offset everything is forced already
   */
  GroupCommit(Force force, long forced) {
    this.force = force;
    this.forced = forced;
  }

  /**
   * Returns when everything up to an offset, which was written before, is forced.
   *
   * @throws IOException if that failed, now or earlier
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
        interrupted |= Thread.interrupted(); // the event is written, but is it forced?
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

  /** Forces in another way, when nobody else does. */
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

  /** Serves those who wait; there is no force after that. */
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

  /** Puts an end to forces, unless that was done before: nobody knows what is on the disk. */
  void fail(Throwable cause) {
    lock.lock();
    try {
      failure = failure == null ? cause : failure;
      for (int i = 0; i < waiting.size(); i++) { // to find that out
        LockSupport.unpark(waiting.get(i).thread);
      }
    } finally {
      lock.unlock();
    }
  }

  private void requireSound() throws IOException {
    Throwable earlier = failure;
    if (earlier != null) {
      throw new IOException("nothing is forced any more: " + earlier.getMessage(), earlier);
    }
  }

  /**
   * Forces for those who wait, if it is the turn of this one: when it comes as the last of them, or
   * later when it has lost patience. Returns whether it has.
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
   * Forces, and tells those who waited until now. The caller has the lock once; others have it
   * meanwhile.
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
      if (failure != null) { // those who came meanwhile find that out
        for (int i = 0; i < waiting.size(); i++) {
          LockSupport.unpark(waiting.get(i).thread);
        }
      }
    }
  }
}
