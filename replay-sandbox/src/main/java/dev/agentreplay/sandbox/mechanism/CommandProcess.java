package dev.agentreplay.sandbox.mechanism;

import dev.agentreplay.io.file.FileTree;
import dev.agentreplay.sandbox.Enforcement;
import dev.agentreplay.sandbox.SandboxException;
import dev.agentreplay.sandbox.SandboxException.Reason;
import dev.agentreplay.sandbox.SandboxedProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A program behind a {@link Launcher}. */
final class CommandProcess implements SandboxedProcess {

  private static final long KILL_SECONDS = 10;
  // The exit code of a process that was ended by a signal is at least this one.
  private static final int KILLED = 128;

  private final Launcher launcher;
  private final Launch launch;
  private final Process process;
  private @Nullable String status;
  private boolean isClosed;

  CommandProcess(Launcher launcher, Launch launch, Process process) {
    this.launcher = launcher;
    this.launch = launch;
    this.process = process;
  }

  @Override
  public Process process() {
    return process;
  }

  @Override
  public Enforcement enforcement() {
    return launch.enforcement();
  }

  @Override
  public @Nullable SandboxException fault() throws InterruptedException {
    return fault(process.waitFor()); // without the lock, which close needs to kill the process
  }

  private synchronized @Nullable SandboxException fault(int exitCode) {
    Reason reason = isClosed ? null : launcher.fault(exitCode, status());
    if (reason == null) {
      return null;
    }
    String message = reason == Reason.LIMIT
        ? "the program was killed (exit code %d), as at a limit of memory or files"
            .formatted(exitCode)
        : "%s ended with exit code %d before the program ran"
            .formatted(launch.words().get(0), exitCode);
    return new SandboxException(reason, message);
  }

  private String status() {
    if (status == null) {
      try {
        status = launch.status() == null ? "" : Files.readString(launch.status());
        deleteStatus(launch);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return status;
  }

  static void deleteStatus(Launch launch) throws IOException {
    if (launch.status() != null) {
      FileTree.delete(launch.status().resolveSibling(""));
    }
  }

  @Override
  public synchronized void close() {
    // By the caller, so that the end is not a fault.
    isClosed |= process.isAlive();
    boolean hasExited = !process.isAlive() && process.exitValue() < KILLED;
    List<ProcessHandle> descendants = process.descendants().toList();
    process.destroyForcibly();
    descendants.forEach(ProcessHandle::destroyForcibly);
    if (!launch.kill().isEmpty() && !hasExited) {
      kill();
    }
    try {
      process.waitFor(KILL_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    status();
  }

  private void kill() {
    try {
      ProcessBuilder builder = new ProcessBuilder(launch.kill());
      builder.environment().clear();
      builder.environment().putAll(launch.environment());
      Process killer = builder
          .redirectOutput(Redirect.DISCARD)
          .redirectError(Redirect.DISCARD)
          .start();
      if (!killer.waitFor(KILL_SECONDS, TimeUnit.SECONDS)) {
        killer.destroyForcibly();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
