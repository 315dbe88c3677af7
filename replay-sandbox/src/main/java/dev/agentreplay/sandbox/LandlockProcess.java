package dev.agentreplay.sandbox;

import dev.agentreplay.sandbox.SandboxException.Reason;
import dev.agentreplay.sandbox.internal.ProcessTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A program that {@code setpriv} has started. All of its processes are in its control groups, or
 * else in the session that it leads.
 */
final class LandlockProcess extends WatchedProcess {

  // The number of times that processes are killed before forks are forbidden.
  private static final int TRIES = 20;

  private final Process program;
  private final String launched;
  private final RunDirectory directory;
  private final Cgroup cgroup;
  private volatile boolean isGone;

  /**
   * Creates a process.
   *
   * @param launched the program of the caller, which a shell in the sandbox starts
   */
  LandlockProcess(
      Process program,
      String launched,
      RunDirectory directory,
      Cgroup cgroup,
      LimitMonitor monitor,
      Enforcement enforcement) {
    super(program, directory, cgroup, monitor, enforcement);
    this.program = program;
    this.launched = launched;
    this.directory = directory;
    this.cgroup = cgroup;
  }

  @Override
  long first() {
    return program.pid();
  }

  @Override
  void kill() {
    // Not by the process, which would close the streams, which may not have been read yet.
    program.toHandle().destroyForcibly();
    boolean unused = killAll();
  }

  /** Returns whether no process is left. */
  private boolean killAll() {
    // After that, a different session may have the number.
    if (!isGone) {
      AtomicInteger tries = new AtomicInteger();
      return await(() -> killOnce(tries.incrementAndGet() > TRIES));
    }
    return true;
  }

  private boolean killOnce(boolean forbidsForks) {
    return cgroup.joinFiles().isEmpty()
        ? ProcessTable.kill(each -> each.session() == program.pid())
        : cgroup.kill(forbidsForks);
  }

  @Override
  boolean killLeft() {
    program.toHandle().destroyForcibly();
    isGone = killAll();
    return isGone;
  }

  @Override
  @Nullable
  SandboxException startFault(int exitCode, TrackedProcess tracked) {
    if (isStarted()) {
      return BubblewrapCommand.innerFault(launched, exitCode, tracked::errorHead);
    }
    String message = tracked.errorHead().strip();
    return new SandboxException(
        Reason.SETUP,
        message.isEmpty()
            ? "setpriv ended with exit code " + exitCode
            : BubblewrapCommand.lastLine(message));
  }

  private boolean isStarted() {
    try {
      return Files.size(directory.status()) > 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
