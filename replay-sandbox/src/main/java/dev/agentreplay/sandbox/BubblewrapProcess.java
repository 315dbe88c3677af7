package dev.agentreplay.sandbox;

import dev.agentreplay.sandbox.SandboxException.Reason;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A program that {@code bwrap} has started, and the thread that watches its limits. */
final class BubblewrapProcess implements SandboxedProcess {

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long END_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final int CHECK_MILLIS = 10;

  private final Process bwrap;
  private final TrackedProcess process;
  private final RunDirectory directory;
  private final Cgroup cgroup;
  private final LimitMonitor monitor;
  private final Enforcement enforcement;
  private final BubblewrapCommand command;
  private final Thread watcher;
  private volatile @Nullable SandboxException fault;
  // By the caller, so that the end is not a fault.
  private volatile boolean isKilled;

  BubblewrapProcess(
      Process bwrap,
      RunDirectory directory,
      Cgroup cgroup,
      LimitMonitor monitor,
      Enforcement enforcement,
      BubblewrapCommand command) {
    this.bwrap = bwrap;
    this.directory = directory;
    this.cgroup = cgroup;
    this.monitor = monitor;
    this.enforcement = enforcement;
    this.command = command;
    this.process = new TrackedProcess(bwrap, this::kill);
    this.watcher = new Thread(this::watch, "replay-sandbox-" + bwrap.pid());
    watcher.setDaemon(true);
    watcher.start();
  }

  @Override
  public Process process() {
    return process;
  }

  @Override
  public @Nullable SandboxException fault() throws InterruptedException {
    watcher.join();
    return fault;
  }

  @Override
  public Enforcement enforcement() {
    return enforcement;
  }

  @Override
  public void close() {
    if (bwrap.isAlive()) {
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
      long init = 0;
      while (reached == null && !bwrap.waitFor(CHECK_MILLIS, TimeUnit.MILLISECONDS)) {
        init = init == 0 ? status().init() : init;
        reached = init == 0 || isKilled ? null : monitor.check(init);
      }
      if (reached != null) {
        kill();
      }
      int exitCode = bwrap.waitFor();
      BubblewrapStatus status = status();
      awaitEnd(status);
      if (!isKilled) {
        if (reached == null) {
          reached = monitor.checkLast(exitCode);
        }
        fault = reached != null
            ? new SandboxException(Reason.LIMIT, reached)
            : command.fault(status, exitCode, process::errorHead);
      }
    } catch (IOException | RuntimeException e) {
      kill();
      SandboxException failed =
          new SandboxException(Reason.SETUP, "the limits cannot be checked: " + e.getMessage());
      failed.initCause(e);
      fault = failed;
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

  /**
   * Kills all processes of the sandbox. Not bwrap itself: killed while it sets the sandbox up, it
   * could leave the first process waiting for it.
   */
  private void kill() {
    long end = System.nanoTime() + END_NANOS;
    while (bwrap.isAlive() && System.nanoTime() < end) {
      long init = status().init();
      if (init != 0) {
        ProcessHandle.of(init).ifPresent(ProcessHandle::destroyForcibly);
        return;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    if (bwrap.isAlive()) {
      // Also closes the streams, which may not have been read yet.
      bwrap.destroyForcibly();
    }
  }

  /** Waits until the kernel has removed the processes that the program has left. */
  private static void awaitEnd(BubblewrapStatus status) {
    long end = System.nanoTime() + END_NANOS;
    while (!status.isGone() && System.nanoTime() < end) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private BubblewrapStatus status() {
    return BubblewrapStatus.read(directory.status());
  }
}
