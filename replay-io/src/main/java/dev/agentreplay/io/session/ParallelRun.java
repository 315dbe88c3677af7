package dev.agentreplay.io.session;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The results of one pass over sessions, consumed by one thread and produced by the workers. */
final class ParallelRun<R> implements Iterator<R>, AutoCloseable {

  private final Iterable<SessionLocation> places;
  private final int threads;
  private final Function<SessionLocation, R> work;
  private final List<Thread> workerThreads = new CopyOnWriteArrayList<>();
  private final Queue<Future<R>> begun = new ArrayDeque<>();
  private @Nullable Iterator<SessionLocation> rest;
  private @Nullable ExecutorService workers;
  private boolean closed;

  ParallelRun(Iterable<SessionLocation> places, int threads, Function<SessionLocation, R> work) {
    this.places = places;
    this.threads = threads;
    this.work = work;
  }

  @Override
  public boolean hasNext() {
    if (closed) {
      return false;
    }
    begin();
    if (begun.isEmpty()) {
      close();
    }
    return !begun.isEmpty();
  }

  @Override
  public R next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return await(begun.remove());
  }

  /** Stops the threads, and waits until they have ended. */
  @Override
  public void close() {
    closed = true;
    begun.clear();
    if (workers == null) {
      return;
    }
    workers.shutdownNow();
    boolean interrupted = false;
    for (Thread worker : workerThreads) {
      while (worker.isAlive()) {
        try {
          worker.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void begin() {
    if (rest == null) {
      rest = places.iterator();
    }
    while (begun.size() < threads * ParallelSessions.LOOK_AHEAD && rest.hasNext()) {
      SessionLocation place = rest.next();
      if (workers == null) {
        workers = Executors.newFixedThreadPool(threads, this::worker);
      }
      begun.add(workers.submit(() -> work.apply(place)));
    }
  }

  private Thread worker(Runnable task) {
    Thread thread = new Thread(task, "replay-sessions");
    thread.setDaemon(true); // a stream that is never closed must not keep the program alive
    workerThreads.add(thread);
    return thread;
  }

  private R await(Future<R> result) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return result.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw thrown(e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns a defect as an exception to throw: it is not a result. */
  private static RuntimeException thrown(@Nullable Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException defect ? defect : new IllegalStateException(cause);
  }
}
