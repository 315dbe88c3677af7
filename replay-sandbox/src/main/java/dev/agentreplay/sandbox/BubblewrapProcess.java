package dev.agentreplay.sandbox;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A program that {@code bwrap} has started. */
final class BubblewrapProcess extends WatchedProcess {

  private final Process bwrap;
  private final RunDirectory directory;
  private final BubblewrapCommand command;

  BubblewrapProcess(
      Process bwrap,
      RunDirectory directory,
      Cgroup cgroup,
      LimitMonitor monitor,
      Enforcement enforcement,
      BubblewrapCommand command) {
    super(bwrap, directory, cgroup, monitor, enforcement);
    this.bwrap = bwrap;
    this.directory = directory;
    this.command = command;
  }

  @Override
  long first() {
    return status().init();
  }

  @Override
  @Nullable
  SandboxException startFault(int exitCode, TrackedProcess program) {
    return command.fault(status(), exitCode, program::errorHead);
  }

  /**
   * Kills all processes of the sandbox. Not bwrap itself: killed while it sets the sandbox up, it
   * could leave the first process waiting for it.
   */
  @Override
  void kill() {
    boolean unused = await(() -> !bwrap.isAlive() || first() != 0);
    long init = bwrap.isAlive() ? first() : 0;
    if (init != 0) {
      ProcessHandle.of(init).ifPresent(ProcessHandle::destroyForcibly);
    } else if (bwrap.isAlive()) {
      // Also closes the streams, which may not have been read yet.
      bwrap.destroyForcibly();
    }
  }

  /** Waits until the kernel has removed the processes that the program has left. */
  @Override
  boolean killLeft() throws IOException {
    BubblewrapStatus status = status();
    if (status.init() == 0) {
      // it could not report its first process, as on a full disk, and leaves it waiting
      Leftovers.kill(directory.path().getFileName().toString()::equals);
    }
    return await(status::isGone);
  }

  private BubblewrapStatus status() {
    return BubblewrapStatus.read(directory.status());
  }
}
