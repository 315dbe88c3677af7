package dev.agentreplay.records.internal;

import dev.agentreplay.model.Failure;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Runs agents on threads of their own, which are interrupted at a limit and at an abort. A thread
 * that ignores the interrupt is abandoned, and its result is ignored.
 */
public final class RoundThread {

  /** The longest time of a limit, which stands for none. */
  public static final Duration LONGEST = Duration.ofDays(36_500);

  /**
   * A limit in time.
   *
   * @param time the time until it is reached
   * @param message the reason why the replay ends then
   */
  public record Limit(Duration time, String message) {

    /** The limit that is reached first. */
    Limit or(@Nullable Limit other) {
      return other == null || time.compareTo(other.time) <= 0 ? this : other;
    }
  }

  /** Thrown when a task has no result. */
  public static final class StoppedException extends Exception {

    private static final long serialVersionUID = 1L;

    StoppedException(String message) {
      super(message);
    }
  }

  private final ReplayAbort abort;
  private final Duration grace;
  private final CompletableFuture<@Nullable Object> aborted = new CompletableFuture<>();

  /**
   * Creates a runner of tasks.
   *
   * @param grace the time after which a thread that was interrupted is abandoned
   */
  public RoundThread(ReplayAbort abort, Duration grace) {
    this.abort = abort;
    this.grace = grace;
    abort.onAbort(() -> aborted.complete(null));
  }

  /**
   * Runs a task.
   *
   * @throws StoppedException if it fails or does not finish in time, or the replay was aborted; the
   *     message says why
   * @throws InterruptedException if this thread is interrupted; that of the task is then, too
   */
  public <T extends @Nullable Object> T run(String name, Callable<T> task, Limit limit)
      throws StoppedException, InterruptedException {
    if (aborted.isDone()) {
      throw new StoppedException("aborted: " + abort.reason());
    }
    if (limit.time().isNegative() || limit.time().isZero()) {
      throw new StoppedException(limit.message());
    }
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread = new Thread(() -> complete(result, task), name);
    thread.setDaemon(true);
    thread.start();
    try {
      Duration time = limit.time().compareTo(LONGEST) < 0 ? limit.time() : LONGEST;
      Object unused =
          CompletableFuture.anyOf(result, aborted).get(time.toNanos(), TimeUnit.NANOSECONDS);
      if (result.isDone()) {
        return result.get();
      }
      throw new StoppedException("aborted: " + abort.reason() + interrupted(thread));
    } catch (TimeoutException e) {
      throw new StoppedException(limit.message() + interrupted(thread));
    } catch (ExecutionException e) {
      throw new StoppedException(description(e.getCause() == null ? e : e.getCause()));
    } catch (InterruptedException e) {
      interrupt(thread);
      throw e;
    }
  }

  private static <T extends @Nullable Object> void complete(
      CompletableFuture<T> result, Callable<T> task) {
    try {
      result.complete(task.call());
    } catch (Throwable e) { // of agents; the waiting thread reports it
      result.completeExceptionally(e);
    }
  }

  /** Interrupts a thread; returns a note for the message if it is running still. */
  private String interrupted(Thread thread) throws InterruptedException {
    interrupt(thread);
    return thread.isAlive()
        ? "; they ignored the interrupt for %s and were abandoned".formatted(seconds(grace))
        : "";
  }

  private void interrupt(Thread thread) throws InterruptedException {
    thread.interrupt();
    thread.join(grace.toMillis());
  }

  /** The message of an expected failure; class and message of any other. */
  private static String description(Throwable failure) {
    String message = Failure.message(failure);
    String name = failure.getClass().getName();
    return failure instanceof IOException || message.startsWith(name)
        ? message
        : name + ": " + message;
  }

  /** A duration in seconds, such as {@code 0.5 s}. */
  static String seconds(Duration time) {
    Duration shown = time.compareTo(LONGEST) < 0 ? time : LONGEST;
    return BigDecimal.valueOf(shown.toMillis(), 3).stripTrailingZeros().toPlainString() + " s";
  }
}
