package dev.agentreplay.engine.replay;

import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.StreamedText;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.json.LenientJson;
import dev.agentreplay.model.text.Excerpt;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Runs tools and models on threads of the replay, and waits for them with a time-out. Safe for use
 * by several threads.
 */
final class Executions {

  /** The least time after which the time of a replay, which may be paused, is read again. */
  static final long MIN_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** A tool or model that is being executed. */
  record Running(String name, Future<?> future, long startedNanos) {}

  /** Decides when an execution is not answered in time. */
  interface OnTimeout {

    /** Whether to wait as long again. */
    boolean extend(Duration waited);
  }

  private final ActiveTime time;
  private final ExecutorService threads;
  private final Set<Running> running = ConcurrentHashMap.newKeySet();

  /** The names of the tools and models whose code has not returned. */
  private final Queue<String> active = new ConcurrentLinkedQueue<>();

  private volatile boolean isCancelled;

  Executions(ActiveTime time) {
    this.time = time;
    this.threads = java.util.concurrent.Executors.newCachedThreadPool(task -> {
      Thread thread = new Thread(task, "replay-execution");
      thread.setDaemon(true); // one that ignores its interrupt does not keep the process
      return thread;
    });
  }

  /**
   * Executes a tool or model. An interrupt from before does not end the wait for it, and stays set.
   *
   * @throws ExchangeTimeoutException if it is not answered in time; it was interrupted
   * @throws CancellationException if the replay was stopped
   * @throws ExecutionException if it threw an error, which is the cause
   * @throws Exception the exception that it threw
   */
  <T> T execute(String name, Callable<T> body, Duration timeout, OnTimeout onTimeout)
      throws Exception {
    boolean wasInterrupted = Thread.interrupted();
    Future<T> future = threads.submit(() -> {
      active.add(name);
      try {
        return body.call();
      } finally {
        active.remove(name);
      }
    });
    Running execution = new Running(name, future, time.nanos());
    running.add(execution);
    if (isCancelled) {
      future.cancel(true); // the replay was stopped before this execution was known
    }
    try {
      return await(execution, future, timeout, onTimeout);
    } catch (InterruptedException e) {
      future.cancel(true);
      throw e;
    } finally {
      running.remove(execution);
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private <T> T await(Running execution, Future<T> future, Duration timeout, OnTimeout onTimeout)
      throws Exception {
    long limit = nanos(timeout);
    while (true) {
      long waited = time.nanos() - execution.startedNanos();
      try {
        return future.get(Math.max(limit - waited, MIN_WAIT_NANOS), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        waited = time.nanos() - execution.startedNanos();
        if (waited < limit) {
          continue; // the replay was paused
        } else if (onTimeout.extend(Duration.ofNanos(waited))) {
          limit = sum(limit, nanos(timeout));
          continue;
        }
        future.cancel(true);
        throw new ExchangeTimeoutException("%s was not answered within %d ms"
            .formatted(execution.name(), TimeUnit.NANOSECONDS.toMillis(limit)));
      } catch (ExecutionException e) {
        throw thrown(e);
      }
    }
  }

  private static long sum(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }

  /** The nanoseconds of a time-out, at most those of 292 years. */
  static long nanos(Duration timeout) {
    try {
      return timeout.toNanos();
    } catch (ArithmeticException tooLong) {
      return Long.MAX_VALUE;
    }
  }

  /** The exception of an execution. An error stays wrapped: it is not one of the agent's thread. */
  private static Exception thrown(ExecutionException e) {
    return e.getCause() instanceof Exception exception ? exception : e;
  }

  /** Interrupts all executions, those that begin later, too. */
  void cancel() {
    isCancelled = true;
    running.forEach(execution -> execution.future().cancel(true));
  }

  /** The execution that runs for the longest time; null if there is none. */
  @Nullable
  String longest() {
    return running.stream()
        .min(Comparator.comparingLong(Running::startedNanos))
        .map(Running::name)
        .orElse(null);
  }

  /**
   * Interrupts all executions, and waits for them. Further calls do not wait.
   *
   * @param grace the time for what was interrupted to end
   * @return the names of those that have not ended
   */
  List<String> close(Duration grace) {
    boolean isFirst = !threads.isShutdown();
    threads.shutdownNow();
    boolean isInterrupted = false;
    try {
      if (isFirst && !active.isEmpty()) {
        threads.awaitTermination(grace.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      isInterrupted = true;
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    return active.stream().sorted().toList();
  }

  /** The result of a tool with the id of its call, and a latency. */
  static ToolResult finished(ToolResult result, String id, long latencyMillis) {
    ToolResult timed =
        result.latencyMillis() == null ? result.withLatencyMillis(latencyMillis) : result;
    return (ToolResult) withId(timed, id);
  }

  /**
   * The result of a model with the id of its call, a latency, and the pieces of its stream.
   *
   * @throws IllegalArgumentException if the answer is a text, and a different one was streamed
   */
  static ModelResult finished(
      ModelResult result, String id, long latencyMillis, StreamedText stream) {
    ModelResult timed =
        result.latencyMillis() == null ? result.withLatencyMillis(latencyMillis) : result;
    if (stream.finish()) {
      requireStreamed(result, stream.text());
      if (timed.timing().chunks().isEmpty()) {
        timed = timed.withTiming(
            timed.timing().withChunks(stream.chunksIn(result.answer().value())));
      }
    }
    return (ModelResult) withId(timed, id);
  }

  private static void requireStreamed(ModelResult result, String text) {
    JsonValue streamed = LenientJson.of(text, "").value();
    if (result.answer().value() instanceof JsonString answer && !answer.equals(streamed)) {
      throw new IllegalArgumentException(
          "the model streamed a different text than its answer: %s, and answered %s"
              .formatted(Excerpt.of(streamed.toString()), Excerpt.of(answer.toString())));
    }
  }

  private static ReplayEvent withId(ReplayEvent result, String id) {
    Meta meta = new Meta(null, null, result.meta().extra());
    return Requests.result(result, id, result.content().value(), meta);
  }
}
