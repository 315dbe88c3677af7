package dev.agentreplay.io.session;

import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Works on many sessions in parallel, and returns the results in the order of the sessions.
 * Immutable and safe for use by several threads.
 */
public final class ParallelSessions {

  /** The maximum number of threads. */
  public static final int MAX_THREADS = 256;

  /** The maximum number of sessions per thread that are started before their results are taken. */
  public static final int LOOK_AHEAD = 16;

  private final int threads;

  private ParallelSessions(int threads) {
    this.threads = threads;
  }

  /** Works with as many threads as there are processors, at most {@value #MAX_THREADS}. */
  public static ParallelSessions defaults() {
    return new ParallelSessions(Math.min(Runtime.getRuntime().availableProcessors(), MAX_THREADS));
  }

  /**
   * Works with this number of threads.
   *
   * @param threads the number, from 1 to {@value #MAX_THREADS}
   * @throws IllegalArgumentException if it is out of range
   */
  public static ParallelSessions withThreads(int threads) {
    if (threads < 1 || threads > MAX_THREADS) {
      throw new IllegalArgumentException(
          "threads must be from 1 to %d: %d".formatted(MAX_THREADS, threads));
    }
    return new ParallelSessions(threads);
  }

  /** The number of threads. */
  public int threads() {
    return threads;
  }

  /**
   * Applies a function to sessions, one thread to one session. An unchecked exception of the
   * function is thrown in place of its result.
   *
   * <p>Nothing happens before the first result is requested. The thread that takes the results
   * iterates over the places, at most {@value #LOOK_AHEAD} per thread ahead. The threads have ended
   * when all results were taken. Closing the stream earlier interrupts them, and waits until they
   * have ended. Interrupting the thread that takes the results does not stop the others, and its
   * interrupt status is kept.
   *
   * @param places the sessions
   * @param work the function; called by several threads at once, for a different session each
   * @param <R> the type of a result
   * @return the results in the order of the places, as a sequential stream that the caller must
   *     close
   */
  public <R> Stream<R> map(Iterable<SessionLocation> places, Function<SessionLocation, R> work) {
    Objects.requireNonNull(places, "places");
    Objects.requireNonNull(work, "work");
    ParallelRun<R> run = new ParallelRun<>(places, threads, work);
    return StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(run, Spliterator.ORDERED | Spliterator.NONNULL),
            false)
        .onClose(run::close);
  }
}
