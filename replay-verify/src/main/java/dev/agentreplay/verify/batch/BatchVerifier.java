package dev.agentreplay.verify.batch;

import dev.agentreplay.io.log.ReaderOptions;
import dev.agentreplay.io.session.ParallelSessions;
import dev.agentreplay.io.session.SessionLocation;
import dev.agentreplay.verify.NotEnoughMemoryException;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.VerifyPolicy;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Verifies many sessions in parallel. Immutable; safe for use by several threads.
 *
 * <pre>{@code
 * try (Stream<BatchResult> results =
 *     BatchVerifier.of(VerifyPolicy.defaults()).verify(Sessions.find(directory))) {
 *   BatchTotals totals = results.reduce(BatchTotals.NONE, BatchTotals::plus, BatchTotals::plus);
 * }
 * }</pre>
 *
 * <p>One thread verifies one session; free threads of the common pool decode and hash its next
 * lines meanwhile. Sessions are started in the order given. Their sizes are not known in advance,
 * so that a large session at the end is verified alone.
 *
 * <p>Memory is bounded by the verification of as many sessions as there are threads,
 * {@value ParallelSessions#LOOK_AHEAD} finished reports per thread, and about 300 bytes per session
 * to detect repeated ones. A session that takes more memory than is available does not end the
 * batch: if others are verified at the same time it is verified again, alone, and if that fails
 * too, its result is a failure with a {@link NotEnoughMemoryException}.
 */
public final class BatchVerifier {

  /** The maximum number of threads. */
  public static final int MAX_THREADS = ParallelSessions.MAX_THREADS;

  private final SessionVerifier verifier;
  private final ParallelSessions parallel;
  private final ReaderOptions readerOptions;

  private BatchVerifier(
      SessionVerifier verifier, ParallelSessions parallel, ReaderOptions readerOptions) {
    this.verifier = verifier;
    this.parallel = parallel;
    this.readerOptions = Objects.requireNonNull(readerOptions, "readerOptions");
  }

  /** Returns a verifier with this policy, and as many threads as there are processors. */
  public static BatchVerifier of(VerifyPolicy policy) {
    return new BatchVerifier(
        SessionVerifier.of(policy), ParallelSessions.defaults(), ReaderOptions.defaults());
  }

  /**
   * Returns a verifier with this number of threads.
   *
   * @param newThreads the number, from 1 to {@value #MAX_THREADS}
   * @throws IllegalArgumentException if {@code newThreads} is out of range
   */
  public BatchVerifier withThreads(int newThreads) {
    return new BatchVerifier(verifier, ParallelSessions.withThreads(newThreads), readerOptions);
  }

  /** Returns a verifier that reads the logs with these options. */
  public BatchVerifier withReaderOptions(ReaderOptions newReaderOptions) {
    return new BatchVerifier(verifier, parallel, newReaderOptions);
  }

  /**
   * Verifies sessions, in the order given. A session that cannot be read from disk has a result
   * too, and does not affect the others. A session with the same lines or the same
   * {@code session_id} as an earlier one, under a different path, has the finding
   * {@code SESSION_REPEATED}. An unchecked exception is not a result: one thrown while verifying is
   * thrown in place of the result, and one thrown by the iterator of {@code places} when it is
   * called.
   *
   * <p>Nothing happens before the first result is requested. The thread that takes the results
   * iterates over the places, at most {@value ParallelSessions#LOOK_AHEAD} per thread ahead. The
   * threads have ended when all results were taken; closing the stream earlier stops them at their
   * current line, and waits for that. Interrupting the thread that takes the results does not stop
   * the batch, and its interrupt status is kept.
   *
   * @param places the sessions to verify
   * @return the results, as a sequential stream that the caller must close
   */
  public Stream<BatchResult> verify(Iterable<SessionLocation> places) {
    Objects.requireNonNull(places, "places");
    return new BatchRun(verifier, parallel, readerOptions).verify(places);
  }
}
