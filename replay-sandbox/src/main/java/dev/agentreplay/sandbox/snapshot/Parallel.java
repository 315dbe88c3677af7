package dev.agentreplay.sandbox.snapshot;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Work on the elements of lists by several threads, which end when this object is closed. */
final class Parallel implements Closeable {

  /** The work on one element. */
  @FunctionalInterface
  interface Work<T> {
    void on(T element) throws IOException;
  }

  private static final int MOST_THREADS = 4;
  private static final int BATCH = 16;

  private final int threads;
  private final ExecutorService pool;

  Parallel() {
    this.threads = Math.max(2, Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors()));
    this.pool = Executors.newFixedThreadPool(threads, task -> {
      Thread thread = new Thread(task, "replay-snapshot");
      thread.setDaemon(true);
      return thread;
    });
  }

  /**
   * Works on all elements. After a failure the others are not begun; it returns when no thread
   * works any more.
   *
   * @throws IOException the first failure
   */
  <T> void forEach(List<T> elements, Work<? super T> work) throws IOException {
    if (elements.size() <= 1) {
      for (T element : elements) {
        work.on(element);
      }
      return;
    }
    int batch = Math.max(1, Math.min(BATCH, elements.size() / (2 * threads)));
    AtomicInteger next = new AtomicInteger();
    AtomicBoolean failed = new AtomicBoolean();
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      running.add(pool.submit(() -> {
        try {
          for (int from = next.getAndAdd(batch);
              from < elements.size() && !failed.get();
              from = next.getAndAdd(batch)) {
            for (T element : elements.subList(from, Math.min(from + batch, elements.size()))) {
              work.on(element);
            }
          }
          return null;
        } catch (Throwable e) {
          failed.set(true);
          throw e;
        }
      }));
    }
    await(running, failed);
  }

  private static void await(List<Future<?>> running, AtomicBoolean failed) throws IOException {
    Throwable failure = null;
    boolean isInterrupted = false;
    for (Future<?> task : running) {
      while (true) {
        try {
          task.get();
          break;
        } catch (InterruptedException e) {
          isInterrupted = true;
          failed.set(true); // the other threads end after the element they are at
        } catch (ExecutionException e) {
          failure = failure == null ? e.getCause() : failure;
          break;
        }
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
    if (failure instanceof IOException e) {
      throw e;
    } else if (failure instanceof RuntimeException e) {
      throw e;
    } else if (failure instanceof Error e) {
      throw e;
    }
  }

  @Override
  public void close() {
    pool.shutdown();
  }
}
