package dev.agentreplay.verify.batch;

import dev.agentreplay.io.log.ReaderOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.SessionLocation;
import dev.agentreplay.model.ContentHash;
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

/** The results of one batch, for one thread to take; others make them. */
final class BatchRun implements Iterator<BatchResult>, AutoCloseable {

  private final SessionVerifier verifier;
  private final int threads;
  private final ReaderOptions readerOptions;
  private final Iterable<SessionLocation> places;
  private final List<Thread> workerThreads = new CopyOnWriteArrayList<>();
  private final Queue<Future<Verified>> begun = new ArrayDeque<>();
  private final RepeatedSessions repeated = new RepeatedSessions();

  /** Held by each worker while it verifies, and alone by one that did not have enough memory. */
  private final ReadWriteLock memory = new ReentrantReadWriteLock(true);

  private @Nullable Iterator<SessionLocation> rest;
  private @Nullable ExecutorService workers;

  /** Read by the workers. */
  private volatile boolean closed;

  /** A result, and by what its session is known. */
  private record Verified(
      BatchResult result, @Nullable String sessionId, @Nullable ContentHash root) {}

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
    Verified verified = await(begun.remove());
    VerificationReport report = verified.result().report();
    Finding again = report == null
        ? null
        : repeated.add(verified.result().path(), verified.root(), verified.sessionId());
    return report == null || again == null
        ? verified.result()
        : new BatchResult(verified.result().path(), report.with(again, verifier.policy()), null);
  }

  /** Ends the threads, and waits until they have ended. */
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

  /** Verifies a session; once more, and alone, if others may have had the memory that it takes. */
  private Verified verify(SessionLocation place) {
    Verified verified = verify(place, memory.readLock());
    boolean isShort = verified.result().failure() instanceof NotEnoughMemoryException;
    return isShort && threads > 1 ? verify(place, memory.writeLock()) : verified;
  }

  private Verified verify(SessionLocation place, Lock share) {
    share.lock();
    try {
      Session session = place.open().withReaderOptions(readerOptions);
      SessionVerifier.Identified verified = verifier.identify(session, () -> closed);
      return new Verified(
          new BatchResult(place.path(), verified.report(), null),
          verified.sessionId(),
          verified.root());
    } catch (IOException e) {
      return new Verified(new BatchResult(place.path(), null, e), null, null);
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

  private static Verified await(Future<Verified> result) {
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

  /** A defect, which is not a result: verifying throws no other checked exceptions. */
  private static RuntimeException thrown(@Nullable Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException defect ? defect : new IllegalStateException(cause);
  }
}
