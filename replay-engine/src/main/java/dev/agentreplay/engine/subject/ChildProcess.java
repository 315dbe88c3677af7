package dev.agentreplay.engine.subject;

import dev.agentreplay.engine.replay.execution.NotExecutedException;
import dev.agentreplay.engine.replay.execution.NotExecutedException.Reason;
import dev.agentreplay.engine.subject.ProcessStarter.RunningProcess;
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

  private final RunningProcess running;
  private final Process process;
  private final ErrorLines errors;
  private final Thread errorReader;
  private volatile boolean hasReadErrors;

  private ChildProcess(RunningProcess running, ErrorLines errors) {
    this.running = running;
    this.process = running.process();
    this.errors = errors;
    this.errorReader = daemon("replay-stderr", () -> errors.read(process.getErrorStream()));
  }

  /**
   * Starts a program, with the starter of the command if it has one.
   *
   * @throws NotExecutedException if it cannot be started, as when it does not exist
   */
  static ChildProcess start(ProcessCommand command) throws NotExecutedException {
    ChildProcess child = new ChildProcess(running(command), new ErrorLines(command.errors()));
    child.errorReader.start();
    return child;
  }

  private static RunningProcess running(ProcessCommand command) throws NotExecutedException {
    ProcessStarter starter = command.starter();
    if (starter != null) {
      return starter.start(command.words(), command.directory(), command.variables());
    }
    try {
      return DirectProcess.start(command.builder());
    } catch (IOException e) {
      throw new NotExecutedException(Reason.NOT_STARTED, message(command, e), e);
    }
  }

  private static String message(ProcessCommand command, IOException failure) {
    try {
      command.requireExecutable(); // has a shorter message
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
    return command.cannotStart(failure.getMessage());
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

  /**
   * Fails if the exit code is not a result of the program. Waits until it has exited.
   *
   * @throws NotExecutedException the reason, such as a limit of its sandbox
   */
  void requireNoFault() throws NotExecutedException, InterruptedException {
    NotExecutedException fault = running.fault();
    if (fault != null) {
      throw fault;
    }
  }

  /** Whether the program has exited. */
  boolean hasExited() {
    return !process.isAlive();
  }

  /** The end of what the program wrote to its standard error, for a message. */
  String errorTail() throws InterruptedException {
    awaitErrors();
    return errors.tail();
  }

  private void awaitErrors() throws InterruptedException {
    if (!hasReadErrors) {
      errorReader.join(ERRORS_MILLIS);
      hasReadErrors = true;
    }
  }

  @Override
  public void close() {
    boolean interrupted = false;
    try {
      if (hasExited()) {
        awaitErrors(); // closing discards what was not read
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    running.close();
    try {
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
