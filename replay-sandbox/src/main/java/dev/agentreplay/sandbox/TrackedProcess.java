package dev.agentreplay.sandbox;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A process whose standard error can be looked at, and which is killed with its sandbox. */
final class TrackedProcess extends Process {

  private final Process process;
  private final Runnable kill;
  private final HeadStream error;

  TrackedProcess(Process process, Runnable kill) {
    this.process = process;
    this.kill = kill;
    this.error = new HeadStream(process.getErrorStream());
  }

  /** The beginning of standard error. */
  String errorHead() {
    return error.head();
  }

  @Override
  public OutputStream getOutputStream() {
    return process.getOutputStream();
  }

  @Override
  public InputStream getInputStream() {
    return process.getInputStream();
  }

  @Override
  public InputStream getErrorStream() {
    return error;
  }

  @Override
  public int waitFor() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
    return process.waitFor(timeout, unit);
  }

  @Override
  public int exitValue() {
    return process.exitValue();
  }

  @Override
  public void destroy() {
    kill.run();
  }

  @Override
  public Process destroyForcibly() {
    kill.run();
    return this;
  }

  @Override
  public boolean supportsNormalTermination() {
    return false;
  }

  @Override
  public boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public long pid() {
    return process.pid();
  }

  @Override
  public CompletableFuture<Process> onExit() {
    return process.onExit().thenApply(exited -> this);
  }

  @Override
  public ProcessHandle toHandle() {
    return process.toHandle();
  }
}
