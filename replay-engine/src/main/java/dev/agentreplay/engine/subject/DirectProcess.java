package dev.agentreplay.engine.subject;

import dev.agentreplay.engine.replay.execution.NotExecutedException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A program that is started without a starter: with the permissions of this process. */
final class DirectProcess implements ProcessStarter.RunningProcess {

  private static final long KILL_MILLIS = 5_000;

  private final Process process;

  private DirectProcess(Process process) {
    this.process = process;
  }

  static DirectProcess start(ProcessBuilder builder) throws IOException {
    return new DirectProcess(builder.start());
  }

  @Override
  public Process process() {
    return process;
  }

  @Override
  public @Nullable NotExecutedException fault() {
    return null;
  }

  @Override
  public void close() {
    // before the program is killed: a process without a parent is no longer found
    List<ProcessHandle> started = process.descendants().toList();
    process.destroyForcibly();
    for (ProcessHandle child : started) {
      child.descendants().forEach(ProcessHandle::destroyForcibly);
      child.destroyForcibly();
    }
    try {
      process.waitFor(KILL_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
