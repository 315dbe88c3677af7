package dev.agentreplay.io.session;

import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Works on many sessions in parallel, and returns the results in the order of the sessions. */
public final class ParallelSessions {

  /** The maximum number of threads. */
  public static final int MAX_THREADS = 256;

  /** The maximum number of sessions per thread that are started before their results are taken. */
  public static final int LOOK_AHEAD = 16;

  private ParallelSessions() {}

  /** The number of processors, at most {@value #MAX_THREADS}. */
  public static int defaultThreads() {
    return Math.min(Runtime.getRuntime().availableProcessors(), MAX_THREADS);
  }

  /**
   * Returns a number of threads.
   *
   * @throws IllegalArgumentException if it is less than 1 or more than {@value #MAX_THREADS}
   */
  public static int checkThreads(int threads) {
    if (threads < 1 || threads > MAX_THREADS) {
      throw new IllegalArgumentException(
          "threads must be from 1 to %d: %d".formatted(MAX_THREADS, threads));
    }
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
   * @param threads the number of threads, from 1 to {@value #MAX_THREADS}
   * @param work the function; called by several threads at once, for a different session each
   * @param <R> the type of a result
   * @return the results in the order of the places, as a sequential stream that the caller must
   *     close
   * @throws IllegalArgumentException if the number of threads is out of range
   */
  public static <R> Stream<R> map(
      Iterable<SessionLocation> places, int threads, Function<SessionLocation, R> work) {
    Objects.requireNonNull(places, "places");
    Objects.requireNonNull(work, "work");
    ParallelRun<R> run = new ParallelRun<>(places, checkThreads(threads), work);
    return StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(run, Spliterator.ORDERED | Spliterator.NONNULL),
            false)
        .onClose(run::close);
  }
}
