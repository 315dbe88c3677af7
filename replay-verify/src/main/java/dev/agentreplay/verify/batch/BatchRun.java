package dev.agentreplay.verify.batch;

import dev.agentreplay.io.log.ReaderOptions;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.io.session.ParallelSessions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.SessionLocation;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.verify.NotEnoughMemoryException;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.VerificationReport;
import java.io.IOException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;

/** One batch: workers verify its sessions, and one thread takes the results. */
final class BatchRun {

  private final SessionVerifier verifier;
  private final ParallelSessions parallel;
  private final ReaderOptions readerOptions;
  private final RepeatedSessions repeated = new RepeatedSessions();

  /**
   * Held for reading by each worker that verifies, and for writing by one that ran out of memory
   * and verifies again.
   */
  private final ReadWriteLock memory = new ReentrantReadWriteLock(true);

  BatchRun(SessionVerifier verifier, ParallelSessions parallel, ReaderOptions readerOptions) {
    this.verifier = verifier;
    this.parallel = parallel;
    this.readerOptions = readerOptions;
  }

  Stream<BatchResult> verify(Iterable<SessionLocation> places) {
    return parallel.map(places, this::verify).map(this::withRepetition);
  }

  /** Adds the finding of a session with the same lines or id as an earlier one. */
  private BatchResult withRepetition(BatchResult result) {
    if (!(result instanceof BatchResult.Verified verified)) {
      return result;
    }
    VerificationReport report = verified.report();
    Finding again = repeated.add(result.path(), report.root(), report.sessionId());
    return again == null
        ? result
        : new BatchResult.Verified(result.path(), report.with(again, verifier.policy()));
  }

  /**
   * Verifies a session, and does so again alone if it ran out of memory that others may have used.
   */
  private BatchResult verify(SessionLocation place) {
    BatchResult result = verify(place, memory.readLock());
    boolean isShort = result instanceof BatchResult.Failed failed
        && failed.failure() instanceof NotEnoughMemoryException;
    return isShort && parallel.threads() > 1 ? verify(place, memory.writeLock()) : result;
  }

  private BatchResult verify(SessionLocation place, Lock share) {
    share.lock();
    try (OpenSession open = place.open()) {
      Session session = open.session().withReaderOptions(readerOptions);
      // closing the stream of the results interrupts the workers
      return new BatchResult.Verified(
          place.path(), verifier.verify(session, () -> Thread.currentThread().isInterrupted()));
    } catch (IOException e) {
      return new BatchResult.Failed(place.path(), e);
    } finally {
      share.unlock();
    }
  }
}
