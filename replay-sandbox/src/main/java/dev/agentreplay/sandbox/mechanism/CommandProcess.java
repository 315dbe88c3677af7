package dev.agentreplay.sandbox.mechanism;

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

  private final Launcher launcher;
  private final Launch launch;
  private final Process process;
  private @Nullable String status;

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
  public synchronized @Nullable SandboxException fault() throws InterruptedException {
    int exitCode = process.waitFor();
    Reason reason = launcher.fault(exitCode, status());
    return reason == null
        ? null
        : new SandboxException(
            reason,
            "%s ended with exit code %d before the program ran"
                .formatted(launch.words().get(0), exitCode));
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

  static void deleteStatus(Launch launch) {
    if (launch.status() != null) {
      launch.status().toFile().delete();
    }
  }

  @Override
  public synchronized void close() {
    List<ProcessHandle> descendants = process.descendants().toList();
    process.destroyForcibly();
    descendants.forEach(ProcessHandle::destroyForcibly);
    if (!launch.kill().isEmpty()) {
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
      Process killer = new ProcessBuilder(launch.kill())
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
