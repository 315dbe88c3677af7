package dev.agentreplay.mcp;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A thread that runs tasks in order. Tasks after the end are not run. */
final class InOrder {

  private static final long MAX_SECONDS = 10;

  private final ExecutorService executor;

  InOrder(String name) {
    executor = Executors.newSingleThreadExecutor(task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    });
  }

  /**
   * Runs a task after the earlier ones.
   *
   * @param onFailure receives what the task throws
   */
  synchronized void run(Runnable task, Consumer<Throwable> onFailure) {
    if (!executor.isShutdown()) {
      executor.execute(() -> {
        try {
          task.run();
        } catch (Throwable e) {
          onFailure.accept(e);
        }
      });
    }
  }

  /** Runs the tasks so far, and ends the thread. Does not wait for them. */
  synchronized void end() {
    executor.shutdown();
  }

  /** Runs the tasks so far, and ends the thread, for which the caller waits. */
  void awaitEnd() {
    end();
    try {
      if (!executor.awaitTermination(MAX_SECONDS, TimeUnit.SECONDS)) {
        executor.shutdownNow();
      }
    } catch (InterruptedException e) {
      executor.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
