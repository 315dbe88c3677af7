package dev.agentreplay.engine.subject;

import java.io.Closeable;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs tasks in order on several threads: a task begins when the one before it has its place, which
 * it says, or has ended. No thread waits for its turn.
 */
final class SubjectThreads implements Closeable {

  /** A task. */
  @FunctionalInterface
  interface Task {

    /**
     * Runs the task.
     *
     * @param onPlaced to be run when the task has its place
     */
    void run(Runnable onPlaced);
  }

  private final ExecutorService threads =
      Executors.newCachedThreadPool(task -> ChildProcess.daemon("replay-subject-request", task));

  /** The tasks that have not begun; guarded by this. */
  private final Queue<Task> waiting = new ArrayDeque<>();

  /** Whether a task that has begun has no place yet; guarded by this. */
  private boolean isPlacing;

  /** Runs a task after those that were added before. */
  void add(Task task) {
    synchronized (this) {
      if (isPlacing) {
        waiting.add(task);
        return;
      }
      isPlacing = true;
    }
    begin(task);
  }

  private void begin(Task task) {
    AtomicBoolean isPlaced = new AtomicBoolean();
    Runnable onPlaced = () -> {
      if (isPlaced.compareAndSet(false, true)) {
        beginNext();
      }
    };
    try {
      threads.execute(() -> {
        try {
          task.run(onPlaced);
        } finally {
          onPlaced.run();
        }
      });
    } catch (RejectedExecutionException closed) {
      // the conversation has ended
    }
  }

  private void beginNext() {
    Task next;
    synchronized (this) {
      next = waiting.poll();
      isPlacing = next != null;
    }
    if (next != null) {
      begin(next);
    }
  }

  /** Interrupts what runs; nothing else begins. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
