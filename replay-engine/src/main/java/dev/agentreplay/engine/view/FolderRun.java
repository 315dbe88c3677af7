package dev.agentreplay.engine.view;

import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.io.session.SessionLocation;
import java.io.IOException;
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
import org.jspecify.annotations.Nullable;

/** The entries of one pass over sessions, consumed by one thread and produced by the workers. */
final class FolderRun<T> implements Iterator<FolderEntry<T>>, AutoCloseable {

  private final Iterable<SessionLocation> places;
  private final int threads;
  private final SessionFolder.Reading<T> reading;
  private final List<Thread> workerThreads = new CopyOnWriteArrayList<>();
  private final Queue<Future<FolderEntry<T>>> begun = new ArrayDeque<>();
  private @Nullable Iterator<SessionLocation> rest;
  private @Nullable ExecutorService workers;
  private boolean closed;

  FolderRun(Iterable<SessionLocation> places, int threads, SessionFolder.Reading<T> reading) {
    this.places = places;
    this.threads = threads;
    this.reading = reading;
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
  public FolderEntry<T> next() {
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
    while (begun.size() < threads * SessionFolder.LOOK_AHEAD && rest.hasNext()) {
      SessionLocation place = rest.next();
      if (workers == null) {
        workers = Executors.newFixedThreadPool(threads, this::worker);
      }
      begun.add(workers.submit(() -> read(place)));
    }
  }

  private FolderEntry<T> read(SessionLocation place) {
    try (OpenSession open = place.open()) {
      return new FolderEntry.Loaded<>(place.path(), reading.read(open.session()));
    } catch (IOException e) {
      return new FolderEntry.Failed<>(place.path(), e);
    }
  }

  private Thread worker(Runnable work) {
    Thread thread = new Thread(work, "replay-folder");
    thread.setDaemon(true); // a stream that is never closed must not keep the program alive
    workerThreads.add(thread);
    return thread;
  }

  private static <E> E await(Future<E> entry) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return entry.get();
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

  /** Returns a defect as an exception to throw: it is not an entry. */
  private static RuntimeException thrown(@Nullable Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException defect ? defect : new IllegalStateException(cause);
  }
}
