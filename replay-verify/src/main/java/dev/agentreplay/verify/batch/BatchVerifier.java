package dev.agentreplay.verify.batch;

import dev.agentreplay.io.log.ReaderOptions;
import dev.agentreplay.io.session.SessionLocation;
import dev.agentreplay.verify.NotEnoughMemoryException;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.VerifyPolicy;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Verifies many sessions, several at a time. Immutable; safe for use by several threads.
 *
 * <pre>{@code
 * try (Stream<BatchResult> results =
 *     BatchVerifier.of(VerifyPolicy.defaults()).verify(Sessions.find(directory))) {
 *   BatchTotals totals = results.reduce(BatchTotals.NONE, BatchTotals::plus, BatchTotals::plus);
 * }
 * }</pre>
 *
 * <p>One thread verifies one session: a log is read from its beginning to its end, so that a batch
 * takes at least as long as its largest session. Sessions begin in the order given; what is the
 * largest cannot be known of a stream, and a large one at its end is verified alone.
 *
 * <p>Memory is that of verifying as many sessions as there are threads, of {@value #LOOK_AHEAD}
 * finished reports a thread, and of about 300 bytes a session, to tell when one comes again. A
 * session that takes more memory than there is does not end the batch: when others are verified at
 * the same time it is verified once more, alone, and if that does not do, its result is a failure,
 * {@link NotEnoughMemoryException}.
 */
public final class BatchVerifier {

  /** The most threads that there can be. */
  public static final int MAX_THREADS = 256;

  /** How many sessions a thread may be ahead of the results that were taken. */
  static final int LOOK_AHEAD = 16;

  private final SessionVerifier verifier;
  private final int threads;
  private final ReaderOptions readerOptions;

  private BatchVerifier(SessionVerifier verifier, int threads, ReaderOptions readerOptions) {
    this.verifier = verifier;
    this.threads = threads;
    this.readerOptions = Objects.requireNonNull(readerOptions, "readerOptions");
  }

  /** A verifier with this policy, and as many threads as there are processors. */
  public static BatchVerifier of(VerifyPolicy policy) {
    int processors = Runtime.getRuntime().availableProcessors();
    return new BatchVerifier(
        SessionVerifier.of(policy), Math.min(processors, MAX_THREADS), ReaderOptions.defaults());
  }

  /** With so many threads, 1 to {@value #MAX_THREADS}. */
  public BatchVerifier withThreads(int newThreads) {
    if (newThreads < 1 || newThreads > MAX_THREADS) {
      throw new IllegalArgumentException(
          "threads must be from 1 to %d: %d".formatted(MAX_THREADS, newThreads));
    }
    return new BatchVerifier(verifier, newThreads, readerOptions);
  }

  /** With the logs read within other limits. */
  public BatchVerifier withReaderOptions(ReaderOptions newReaderOptions) {
    return new BatchVerifier(verifier, threads, newReaderOptions);
  }

  /**
   * Verifies sessions, in the order given. A session that cannot be read from disk is a result, and
   * the others are verified all the same. One whose log, line by line, or whose {@code session_id}
   * is that of a session before it, under another path, has the finding {@code SESSION_REPEATED}.
   * An unchecked exception is none: what verifying throws is thrown where its result would be, what
   * the places throw when they are asked.
   *
   * <p>Nothing happens before the first result is asked for. The places are asked for by the thread
   * that takes the results, not more than {@value #LOOK_AHEAD} a thread ahead of them. When all
   * results were taken the threads have ended; closing the stream earlier ends them at the line
   * they are at, and waits for that. An interrupt of the thread that takes the results stops
   * nothing, and is kept.
   *
   * @return the results, as a sequential stream to be closed
   */
  public Stream<BatchResult> verify(Iterable<SessionLocation> places) {
    Objects.requireNonNull(places, "places");
    BatchRun run = new BatchRun(verifier, threads, readerOptions, places);
    return StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(run, Spliterator.ORDERED | Spliterator.NONNULL),
            false)
        .onClose(run::close);
  }
}
