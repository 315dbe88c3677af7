package dev.agentreplay.engine.subject;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A running program. Closing it kills it, with the processes that it started. */
final class ChildProcess implements Closeable {

  /** The time in which the last lines of the standard error arrive. */
  private static final long ERRORS_MILLIS = 1_000;

  private static final long KILL_MILLIS = 5_000;

  private final Process process;
  private final ErrorLines errors;
  private final Thread errorReader;

  private ChildProcess(Process process, ErrorLines errors) {
    this.process = process;
    this.errors = errors;
    this.errorReader = daemon("replay-stderr", () -> errors.read(process.getErrorStream()));
  }

  /**
   * Starts a program.
   *
   * @throws IOException if it cannot be started, as when it does not exist
   */
  static ChildProcess start(ProcessCommand command) throws IOException {
    Process process;
    try {
      process = command.builder().start();
    } catch (IOException e) {
      command.requireExecutable(); // has a shorter message
      throw new IOException(command.cannotStart(e.getMessage()), e);
    }
    ChildProcess child = new ChildProcess(process, new ErrorLines(command.errors()));
    child.errorReader.start();
    return child;
  }

  /** Creates a thread that does not keep the JVM running. */
  static Thread daemon(String name, Runnable action) {
    Thread thread = new Thread(action, name);
    thread.setDaemon(true);
    return thread;
  }

  /** The standard input of the program. */
  OutputStream in() {
    return process.getOutputStream();
  }

  /** The standard output of the program. */
  InputStream out() {
    return process.getInputStream();
  }

  /** Runs an action when the program has exited. */
  void onExit(Runnable action) {
    CompletableFuture<Void> unused = process.onExit().thenRun(action);
  }

  /** The exit code; null if the program does not exit in time. */
  @Nullable
  Integer exitCode(Duration limit) throws InterruptedException {
    return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS) ? process.exitValue() : null;
  }

  /** The end of what the program wrote to its standard error, for a message. */
  String errorTail() throws InterruptedException {
    errorReader.join(ERRORS_MILLIS);
    return errors.tail();
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
    boolean interrupted = false;
    try {
      process.waitFor(KILL_MILLIS, TimeUnit.MILLISECONDS);
      errorReader.join(ERRORS_MILLIS);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    for (Closeable stream : List.<Closeable>of(in(), out(), process.getErrorStream())) {
      try {
        stream.close();
      } catch (IOException alreadyBroken) {
        // nothing is written or read any more
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
