package dev.agentreplay.sandbox;

import dev.agentreplay.sandbox.SandboxException.Reason;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A program in a sandbox, and the thread that watches its limits and removes what it has left. */
abstract class WatchedProcess implements SandboxedProcess {

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long END_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final int CHECK_MILLIS = 10;

  private final Process launcher;
  private final TrackedProcess process;
  private final RunDirectory directory;
  private final Cgroup cgroup;
  private final LimitMonitor monitor;
  private final Enforcement enforcement;
  private final Thread watcher;
  private volatile @Nullable SandboxException fault;
  // By the caller, so that the end is not a fault.
  private volatile boolean isKilled;

  /**
   * Creates a process that is not watched yet.
   *
   * @param launcher the process of this machine that has set the sandbox up
   */
  WatchedProcess(
      Process launcher,
      RunDirectory directory,
      Cgroup cgroup,
      LimitMonitor monitor,
      Enforcement enforcement) {
    this.launcher = launcher;
    this.directory = directory;
    this.cgroup = cgroup;
    this.monitor = monitor;
    this.enforcement = enforcement;
    this.process = new TrackedProcess(launcher, this::kill);
    this.watcher = new Thread(this::watch, "replay-sandbox-" + launcher.pid());
    watcher.setDaemon(true);
  }

  /** Starts the thread. */
  final WatchedProcess watched() {
    watcher.start();
    return this;
  }

  /** The first process in the sandbox; 0 if there is none yet. */
  abstract long first();

  /** Kills all processes of the sandbox. Safe for use by several threads. */
  abstract void kill();

  /**
   * Removes the processes that are left when the launcher has exited.
   *
   * @return whether none is left
   */
  abstract boolean killLeft() throws IOException;

  /** The reason why the program has no exit code of its own; null if it has. */
  abstract @Nullable SandboxException startFault(int exitCode, TrackedProcess program);

  @Override
  public final Process process() {
    return process;
  }

  @Override
  public final @Nullable SandboxException fault() throws InterruptedException {
    watcher.join();
    return fault;
  }

  @Override
  public final Enforcement enforcement() {
    return enforcement;
  }

  @Override
  public final void close() {
    if (launcher.isAlive()) {
      isKilled = true;
    }
    kill();
    boolean isInterrupted = false;
    while (watcher.isAlive()) {
      try {
        watcher.join();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void watch() {
    try {
      String reached = null;
      long first = 0;
      while (reached == null && !launcher.waitFor(CHECK_MILLIS, TimeUnit.MILLISECONDS)) {
        first = first == 0 ? first() : first;
        reached = first == 0 || isKilled ? null : monitor.check(first);
      }
      if (reached != null) {
        kill();
      }
      int exitCode = launcher.waitFor();
      boolean isGone = killLeft();
      if (!isGone) {
        fault = new SandboxException(
            Reason.SETUP,
            "processes of the program are left after %d s"
                .formatted(TimeUnit.NANOSECONDS.toSeconds(END_NANOS)));
      } else if (!isKilled) {
        if (reached == null) {
          reached = monitor.checkLast(exitCode);
        }
        fault = reached != null
            ? new SandboxException(Reason.LIMIT, reached)
            : startFault(exitCode, process);
      }
    } catch (IOException | RuntimeException e) {
      SandboxException failed =
          new SandboxException(Reason.SETUP, "the limits cannot be checked: " + e.getMessage());
      failed.initCause(e);
      fault = failed;
      try {
        kill();
      } catch (RuntimeException again) {
        e.addSuppressed(again);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("the thread is not known to others", e);
    } finally {
      cgroup.close();
      remove();
    }
  }

  private void remove() {
    try {
      monitor.close();
      directory.remove();
    } catch (IOException e) {
      if (fault == null) {
        fault = new SandboxException(Reason.SETUP, "cannot delete " + e.getMessage());
      }
    }
  }

  /** Waits at most a few seconds for a condition. Returns whether it came true. */
  static boolean await(BooleanSupplier condition) {
    long end = System.nanoTime() + END_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() >= end) {
        return false;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return true;
  }
}
