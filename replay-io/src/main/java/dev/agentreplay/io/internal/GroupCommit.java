package dev.agentreplay.io.internal;

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

    void wake() {
      served = true;
      if (thread != Thread.currentThread()) {
        LockSupport.unpark(thread);
      }
    }
  }

  private static final long FIRST_PATIENCE_NANOS = 1_000_000;

  /** Less is not worth sleeping for. */
  private static final long MIN_PATIENCE_NANOS = 20_000;

  private final Force force;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition idle = lock.newCondition();

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
    List<Waiter> served;
    lock.lock();
    try {
      requireSound();
      waiting.add(waiter);
      served = forcing || waiting.size() < company ? null : begin();
    } finally {
      lock.unlock();
    }
    boolean interrupted = false;
    long deadline = System.nanoTime() + patienceNanos;
    while (served == null && !waiter.served) {
      LockSupport.parkNanos(this, deadline - System.nanoTime());
      interrupted |= Thread.interrupted(); // the event is written, but is it forced?
      if (!waiter.served && System.nanoTime() - deadline >= 0) {
        served = beginFor(waiter);
        deadline = System.nanoTime() + patienceNanos;
      }
    }
    try {
      if (served != null) {
        run(force, served);
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
    List<Waiter> served;
    lock.lock();
    try {
      while (forcing) {
        idle.awaitUninterruptibly();
      }
      requireSound();
      served = begin();
    } finally {
      lock.unlock();
    }
    run(other, served);
  }

  /** Serves those who wait; there is no force after that. */
  void close() throws IOException {
    List<Waiter> served = null;
    lock.lock();
    try {
      while (forcing) {
        idle.awaitUninterruptibly();
      }
      if (!waiting.isEmpty() && failure == null) {
        served = begin();
      }
    } finally {
      lock.unlock();
    }
    try {
      if (served != null) {
        run(force, served);
      }
    } finally {
      fail(new IllegalStateException("the writer was closed"));
    }
  }

  /** Puts an end to forces, unless that was done before: nobody knows what is on the disk. */
  void fail(Throwable cause) {
    lock.lock();
    try {
      failure = failure == null ? cause : failure;
      waiting.forEach(Waiter::wake); // to find that out
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

  /** A waiter has lost patience: begins a force, if nobody else has. */
  private @Nullable List<Waiter> beginFor(Waiter waiter) {
    lock.lock();
    try {
      boolean mayBegin = !forcing && failure == null && waiting.contains(waiter);
      return mayBegin ? begin() : null;
    } finally {
      lock.unlock();
    }
  }

  /** Begins a force, with the lock. Returns whom it serves. */
  private List<Waiter> begin() {
    forcing = true;
    List<Waiter> served = waiting;
    waiting = new ArrayList<>(served.size());
    return served;
  }

  /** Forces, without the lock, and tells those who are served. */
  private void run(Force action, List<Waiter> served) throws IOException {
    long start = System.nanoTime();
    long upTo = forced;
    try {
      upTo = action.run();
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
      throw e;
    } finally {
      lock.lock();
      try {
        forced = upTo;
        forcing = false;
        company = served.size() + waiting.size();
        patienceNanos = Math.max(System.nanoTime() - start, MIN_PATIENCE_NANOS);
        idle.signalAll();
      } finally {
        lock.unlock();
      }
      served.forEach(Waiter::wake);
    }
  }
}
