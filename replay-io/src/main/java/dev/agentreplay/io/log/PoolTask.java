package dev.agentreplay.io.log;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;

/**
 * Work on logs that a thread of the common pool does if one is free, and otherwise the thread that
 * needs the result: nothing waits for a thread to become free. One thread may call its methods.
 *
 * @param <T> the type of the result
 */
public final class PoolTask<T> {

  /** Work that may fail to read a log. */
  @FunctionalInterface
  public interface Work<T> {

    /**
     * Does the work, and returns its result.
     *
     * @param isAbandoned whether the result is not needed any more; long work asks from time to
     *     time, and may end with any exception then
     */
    T run(BooleanSupplier isAbandoned) throws IOException;
  }

  private final FutureTask<T> task;
  private volatile boolean isAbandoned;

  /** Creates a task that no thread has begun. */
  public PoolTask(Work<T> work) {
    Callable<T> unlessAbandoned = () -> {
      if (isAbandoned) {
        throw new IOException("abandoned");
      }
      return work.run(() -> isAbandoned);
    };
    task = new FutureTask<>(unlessAbandoned);
  }

  /** Offers the task to the common pool, unless it has no threads and can have none. */
  public void offer() {
    passOn(task);
  }

  /**
   * Passes work on to the common pool, unless it has no threads and can have none. Returns whether
   * it was passed on.
   */
  static boolean passOn(Runnable work) {
    if (ForkJoinPool.getCommonPoolParallelism() == 0) {
      return false;
    }
    try {
      ForkJoinPool.commonPool().execute(work);
      return true;
    } catch (RejectedExecutionException | OutOfMemoryError noThread) {
      return false;
    }
  }

  /** Whether the work is done, or has failed. */
  public boolean isDone() {
    return task.isDone();
  }

  /** Does the work, if no thread has begun it. */
  public void runIfNotBegun() {
    task.run();
  }

  /**
   * Returns the result. Does the work, if no thread has begun it; otherwise waits until it is done,
   * also if this thread is interrupted, and keeps its interrupt status.
   *
   * @throws IOException if the work failed with this exception
   */
  public T result() throws IOException {
    task.run();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw failure(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns when no thread does the work: it does not begin, or has ended, perhaps early. */
  public void abandon() {
    isAbandoned = true;
    try {
      result();
    } catch (IOException | RuntimeException | Error e) {
      // the result is not needed
    }
  }

  private static IOException failure(ExecutionException e) {
    Throwable cause = e.getCause();
    if (cause instanceof Error error) {
      throw error;
    } else if (cause instanceof RuntimeException exception) {
      throw exception;
    }
    return cause instanceof IOException io ? io : new IOException(cause);
  }
}
