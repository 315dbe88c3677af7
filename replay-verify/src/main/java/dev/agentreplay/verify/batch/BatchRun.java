package dev.agentreplay.verify.batch;

import dev.agentreplay.io.log.ReaderOptions;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.SessionLocation;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.verify.NotEnoughMemoryException;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.VerificationReport;
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
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/** The results of one batch, consumed by one thread and produced by the workers. */
final class BatchRun implements Iterator<BatchResult>, AutoCloseable {

  private final SessionVerifier verifier;
  private final int threads;
  private final ReaderOptions readerOptions;
  private final Iterable<SessionLocation> places;
  private final List<Thread> workerThreads = new CopyOnWriteArrayList<>();
  private final Queue<Future<BatchResult>> begun = new ArrayDeque<>();
  private final RepeatedSessions repeated = new RepeatedSessions();

  /**
   * Held for reading by each worker that verifies, and for writing by one that ran out of memory
   * and verifies again.
   */
  private final ReadWriteLock memory = new ReentrantReadWriteLock(true);

  private @Nullable Iterator<SessionLocation> rest;
  private @Nullable ExecutorService workers;

  /** Whether the batch was closed; read by the workers. */
  private volatile boolean closed;

  BatchRun(
      SessionVerifier verifier,
      int threads,
      ReaderOptions readerOptions,
      Iterable<SessionLocation> places) {
    this.verifier = verifier;
    this.threads = threads;
    this.readerOptions = readerOptions;
    this.places = places;
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
  public BatchResult next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    BatchResult result = await(begun.remove());
    if (!(result instanceof BatchResult.Verified verified)) {
      return result;
    }
    VerificationReport report = verified.report();
    Finding again = repeated.add(result.path(), report.root(), report.sessionId());
    return again == null
        ? result
        : new BatchResult.Verified(result.path(), report.with(again, verifier.policy()));
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
    while (begun.size() < threads * BatchVerifier.LOOK_AHEAD && rest.hasNext()) {
      SessionLocation place = rest.next();
      if (workers == null) {
        workers = Executors.newFixedThreadPool(threads, this::worker);
      }
      begun.add(workers.submit(() -> verify(place)));
    }
  }

  /**
   * Verifies a session, and does so again alone if it ran out of memory that others may have used.
   */
  private BatchResult verify(SessionLocation place) {
    BatchResult result = verify(place, memory.readLock());
    boolean isShort = result instanceof BatchResult.Failed failed
        && failed.failure() instanceof NotEnoughMemoryException;
    return isShort && threads > 1 ? verify(place, memory.writeLock()) : result;
  }

  private BatchResult verify(SessionLocation place, Lock share) {
    share.lock();
    try (OpenSession open = place.open()) {
      Session session = open.session().withReaderOptions(readerOptions);
      return new BatchResult.Verified(place.path(), verifier.verify(session, () -> closed));
    } catch (IOException e) {
      return new BatchResult.Failed(place.path(), e);
    } finally {
      share.unlock();
    }
  }

  private Thread worker(Runnable work) {
    Thread thread = new Thread(work, "replay-verify");
    thread.setDaemon(true); // a stream that is never closed must not keep the program alive
    workerThreads.add(thread);
    return thread;
  }

  private static BatchResult await(Future<BatchResult> result) {
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

  /**
   * Returns a defect as an exception to throw: it is not a result, because verifying throws no
   * other checked exceptions.
   */
  private static RuntimeException thrown(@Nullable Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException defect ? defect : new IllegalStateException(cause);
  }
}
