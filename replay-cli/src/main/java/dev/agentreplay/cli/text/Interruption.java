package dev.agentreplay.cli.text;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Aborts a replay when the JVM is interrupted, as by Ctrl+C, and lets its report be printed before
 * the JVM ends. The exit hooks of the JVM run at the same time: one that deletes what the report
 * needs waits for {@link #awaitEnd}.
 */
public final class Interruption implements AutoCloseable {

  private static final long REPORT_MILLIS = 30_000;

  private final Terminal terminal;
  private final Consumer<String> abort;
  private final CountDownLatch isOver = new CountDownLatch(1);
  private final Thread hook = new Thread(this::interrupt, "replay-interrupted");
  private volatile boolean isInterrupted;

  /**
   * Creates the handler of a replay.
   *
   * @param terminal the terminal of the report
   * @param abort aborts the replay for a reason
   */
  public Interruption(Terminal terminal, Consumer<String> abort) {
    this.terminal = terminal;
    this.abort = abort;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void interrupt() {
    isInterrupted = true;
    abort.accept("interrupted");
    awaitEnd();
  }

  /** Waits until the report is printed, for some time. */
  public void awaitEnd() {
    try {
      isOver.await(REPORT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether the JVM was interrupted. */
  public boolean isInterrupted() {
    return isInterrupted;
  }

  /** Lets the JVM end, after the report is written. */
  @Override
  public void close() {
    terminal.out().flush();
    isOver.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shuttingDown) {
      // the hook runs already
    }
  }
}
