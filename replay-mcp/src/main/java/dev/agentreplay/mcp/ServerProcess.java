package dev.agentreplay.mcp;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A server that is a program, and ends with the JVM. It is ended as the specification of the
 * protocol says for stdio: its input is closed, and when it neither ends nor has anything to do, it
 * is asked to end (SIGTERM), and then forced to (SIGKILL).
 */
final class ServerProcess implements AutoCloseable {

  /**
   * The time in which a server without open requests ends after its input, or after SIGTERM, and
   * any server after SIGKILL.
   */
  static final long GRACE_MILLIS = 5_000;

  /**
   * The time in which the server ends after SIGTERM when the JVM ends: less than the two seconds
   * after which hosts kill the proxy, and the server would be left.
   */
  private static final long MAX_TERMINATION_MILLIS = 1_000;

  /** The time without output of a server that has ended, whose own programs may keep it open. */
  private static final long LAST_OUTPUT_MILLIS = 2_000;

  /**
   * The time without output after which a server is ended whose input has ended, also if it has
   * open requests, or if the client does not read its output.
   */
  static final long MAX_SILENCE_MILLIS = 300_000;

  private static final long POLL_MILLIS = 20;

  /** The time in which the end of the JVM waits for that of the session. */
  private static final long MAX_SECONDS = 5;

  private final Process process;
  private final long graceMillis;
  private volatile long maxSilenceMillis = MAX_SILENCE_MILLIS;
  private final CountDownLatch isOver = new CountDownLatch(1);
  private final Thread hook = new Thread(this::terminate, "replay-mcp-end");
  private final CompletableFuture<Void> termination = new CompletableFuture<>();

  private ServerProcess(Process process, long graceMillis) {
    this.process = process;
    this.graceMillis = graceMillis;
  }

  /** Starts a server, whose standard error is that of this process. */
  static ServerProcess start(List<String> command, long graceMillis) throws IOException {
    Process process = new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    ServerProcess server = new ServerProcess(process, graceMillis);
    try {
      Runtime.getRuntime().addShutdownHook(server.hook);
    } catch (IllegalStateException shuttingDown) {
      boolean unused = process.toHandle().destroyForcibly();
      throw new IOException("the process is ending", shuttingDown);
    }
    return server;
  }

  private void terminate() {
    termination.complete(null);
    end(Math.min(graceMillis, MAX_TERMINATION_MILLIS));
    try {
      isOver.await(MAX_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sets the time without output after which a server is ended whose input has ended. */
  ServerProcess maxSilenceMillis(long millis) {
    maxSilenceMillis = millis;
    return this;
  }

  Process process() {
    return process;
  }

  /** Whether the JVM is ending. */
  boolean isTerminated() {
    return termination.isDone();
  }

  /** Completes when the JVM begins to end. */
  CompletableFuture<Void> termination() {
    return termination;
  }

  /** Completes when the server has ended. */
  CompletableFuture<Process> exit() {
    return process.onExit();
  }

  /**
   * Asks the server to end (SIGTERM), and does not wait. {@link Process#destroy} would also close
   * the streams: it would wait for a write to a full pipe, and discard the last output.
   */
  void askToEnd() {
    boolean unused = process.toHandle().destroy();
  }

  /** Runs an action on a thread of its own when the server has ended. */
  void onExit(Runnable action) {
    CompletableFuture<Void> unused =
        exit().thenRunAsync(action, task -> startThread("replay-mcp-exit", task));
  }

  /** Closes the input, on a thread of its own: a write that waits for the server holds its lock. */
  void closeInput() {
    OutputStream input = process.getOutputStream();
    startThread("replay-mcp-close", () -> {
      try {
        input.close();
      } catch (IOException closed) {
        // the server has ended
      }
    });
  }

  private static void startThread(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Waits until the server ends, whose input has ended. Ends it when it has nothing to do for some
   * time, or when it sends nothing for a long time.
   *
   * @param output the lines of the server
   * @param isNeeded whether the run continues: nothing has failed, and the client still reads
   * @param hasRequests whether the server has requests to answer
   * @return whether the server has ended by itself
   */
  boolean awaitEnd(LineSource output, BooleanSupplier isNeeded, BooleanSupplier hasRequests)
      throws InterruptedException {
    long start = System.nanoTime();
    long quietSince = start;
    long checked = start;
    while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
      long now = System.nanoTime();
      boolean isActive = output.isActiveSince(checked);
      checked = now;
      long silentNanos = Math.min(now - start, now - output.readNanos());
      boolean isSilent = silentNanos > TimeUnit.MILLISECONDS.toNanos(maxSilenceMillis);
      boolean isBusy = isNeeded.getAsBoolean() && (isActive || hasRequests.getAsBoolean());
      if (!isSilent && isBusy) {
        quietSince = now;
      } else if (isSilent || now - quietSince > TimeUnit.MILLISECONDS.toNanos(graceMillis)) {
        end();
        return false;
      }
    }
    return true;
  }

  /**
   * Waits for the last output of the server, which has ended: as long as it is passed on. Its own
   * programs may keep it open; when nothing comes for some time, they are not waited for.
   */
  void awaitLastOutput(LineSource output) throws InterruptedException {
    long millis = isTerminated() ? LAST_OUTPUT_MILLIS / 10 : LAST_OUTPUT_MILLIS;
    output.awaitEnd(millis, maxSilenceMillis);
  }

  /** Ends the server, unless it has ended. */
  void end() {
    end(graceMillis);
  }

  private void end(long millis) {
    askToEnd();
    boolean isInterrupted = false;
    try {
      if (process.waitFor(millis, TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      isInterrupted = true;
    }
    boolean unused = process.toHandle().destroyForcibly();
    try {
      long most = isTerminated() ? millis : GRACE_MILLIS; // the end of the JVM waits for this
      process.waitFor(most, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      isInterrupted = true;
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the server, unless it has ended, and lets the JVM end. */
  @Override
  public void close() {
    if (process.isAlive()) {
      end();
    }
    isOver.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shuttingDown) {
      // the hook runs already
    }
  }
}
