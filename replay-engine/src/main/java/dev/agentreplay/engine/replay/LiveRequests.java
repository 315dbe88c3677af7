package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.diff.ValueChange;
import dev.agentreplay.engine.exchange.ExchangeMatcher;
import dev.agentreplay.engine.exchange.RecordedExchanges;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.replay.LedgerEntry.Result;
import dev.agentreplay.engine.replay.execution.ModelExecutor;
import dev.agentreplay.engine.replay.execution.NotExecutedException;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.ReplayAction;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Executes requests, and compares their results. Safe for use by several threads. */
final class LiveRequests {

  private final Replay replay;
  private final RecordedExchanges recorded;
  private final ExchangeMatcher matcher;
  private final ReplayState state;
  private final Executions executions;
  private final RequestResults results;

  LiveRequests(
      Replay replay,
      RecordedExchanges recorded,
      ExchangeMatcher matcher,
      ReplayState state,
      Executions executions,
      RequestResults results) {
    this.replay = replay;
    this.recorded = recorded;
    this.matcher = matcher;
    this.state = state;
    this.executions = executions;
    this.results = results;
  }

  /** Executes a call. */
  interface Body {
    ReplayEvent call(ReplayEvent call) throws Exception;
  }

  /**
   * Executes a request. Returns the result for the agent.
   *
   * @param pieces receives the pieces of the result, if it is streamed
   */
  ReplayEvent execute(Request request, Body body, LivePieces pieces) throws Exception {
    String exceeded = state.budget().addCall(request.call());
    if (exceeded != null) {
      state.stop(new Stop(Stop.Cause.BUDGET, exceeded));
      throw results.cancelled(request, exceeded);
    }
    ReplayMiss miss = request.miss();
    if (miss != null && replay.stopsOnDivergence) {
      RuntimeException missed = results.missed(request, miss);
      state.stop(new Stop(
          Stop.Cause.DIVERGENCE,
          miss.message(),
          results.entry(request, Result.MISSED, miss, null)));
      throw missed;
    } else if (miss != null) {
      state.divergence(results.entry(request, Result.EXECUTED, miss, null), miss.message());
    }
    String name = Requests.name(request.call());
    Long latency =
        request.matched() == null ? null : request.matched().exchange().latencyMillis();
    Duration timeout = replay.timeouts.step(latency);
    ReplayEvent call =
        Requests.withId(request.call(), request.id(), request.call().meta());
    Callable<ReplayEvent> execution = () -> body.call(call);
    ReplayEvent result;
    try {
      result = executions.execute(name, execution, timeout, waited -> state.extend(name, waited));
    } catch (Exception e) {
      throw failed(request, e, pieces);
    }
    try {
      results.executed(request, result);
    } catch (IllegalArgumentException refused) {
      throw failed(request, unrecordable(name, refused), pieces);
    }
    compare(request, result);
    results.enter(request, Result.EXECUTED, request.miss(), null);
    if (request.call() instanceof ModelCall model && result instanceof ModelResult answered) {
      String over = state.budget().add(model, answered);
      if (over != null) {
        state.stop(new Stop(Stop.Cause.BUDGET, over));
      }
    }
    return request.forAgent(result);
  }

  /** The failure of a tool or model whose result no recorder takes. */
  private static Exception unrecordable(String name, IllegalArgumentException refused) {
    return new IllegalArgumentException(
        "the result of %s cannot be recorded: %s".formatted(name, refused.getMessage()), refused);
  }

  /** Records that an execution failed. Returns the exception for the agent. */
  private Exception failed(Request request, Exception e, LivePieces pieces) {
    pieces.end();
    Stop stop = state.cut();
    if (stop != null) {
      return results.cancelled(request, stop.reason());
    } else if (e instanceof ExchangeTimeoutException) {
      if (!hasFailed(request)) {
        release(request);
      }
      results.timedOut(request, String.valueOf(e.getMessage()), pieces);
      return e;
    } else if (e instanceof NotExecutedException notExecuted) {
      release(request);
      results.notExecuted(request, notExecuted);
      return e;
    }
    boolean isError = e instanceof ExecutionException && e.getCause() instanceof Error;
    Throwable thrown = isError ? Objects.requireNonNull(e.getCause()) : e;
    ReplayEvent result = results.failure(request, thrown, pieces);
    try {
      results.executed(request, result);
    } catch (IllegalArgumentException refused) { // for the part that was streamed
      Exception reason = unrecordable(Requests.name(request.call()), refused);
      result = results.failure(request, reason, new LivePieces(piece -> {}));
      results.executed(request, result);
    }
    compare(request, result);
    results.enter(request, Result.EXECUTED, request.miss(), null);
    return e;
  }

  /** Lets the same request, if it is made again, get the same recorded exchange. */
  private void release(Request request) {
    if (request.matched() != null) {
      matcher.release(
          request.matched().exchange(), request.call(), request.lane().agent());
    }
  }

  /** Whether the recorded exchange failed, so that its retry, if there was one, is recorded. */
  private boolean hasFailed(Request request) {
    try {
      ReplayEvent before =
          request.matched() == null ? null : recorded.result(request.matched().exchange());
      return before != null && Boolean.FALSE.equals(before.succeeded());
    } catch (IOException e) {
      throw state.fail(e);
    }
  }

  ReplayEvent call(ToolExecutor executor, ToolCall call) throws Exception {
    long start = System.nanoTime();
    ToolResult result = executor.execute(call);
    Objects.requireNonNull(result, "the executor of the tool returned null");
    return Executions.finished(result, call.id(), millisSince(start));
  }

  ReplayEvent call(ModelExecutor executor, ModelCall call, LivePieces pieces) throws Exception {
    long start = System.nanoTime();
    state.callsModel(executor);
    ModelResult result =
        executor.call(state.deterministic(call), piece -> pieces.accept(millisSince(start), piece));
    Objects.requireNonNull(result, "the executor of the model returned null");
    return Executions.finished(result, call.id(), millisSince(start), pieces.text());
  }

  private static long millisSince(long startNanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
  }

  /** Compares the result of an execution with the recorded one. */
  private void compare(Request request, ReplayEvent result) {
    if (request.action() != ReplayAction.EXECUTE_AND_COMPARE || request.matched() == null) {
      return;
    }
    JsonValue value;
    List<ValueChange> changes;
    try {
      ReplayEvent before = recorded.result(request.matched().exchange());
      if (before == null) {
        return;
      }
      value = recorded.resolve(before.content());
      ReplayEvent expected =
          value == null ? before : Requests.result(before, "", value, before.meta());
      changes = recorded.comparison().compare(expected, result).stream()
          .filter(change -> replay.comparison.strict() || !ReplaySeverity.isOfRuntime(change))
          .toList();
    } catch (IOException | RuntimeException e) {
      throw state.fail(e);
    }
    if (changes.isEmpty()) {
      return;
    }
    if (value != null && result.content().value() != null) {
      matcher.addDifference(result.content().value(), value);
    }
    String message = "%s: the result differs from the recorded one on line %d, first at %s"
        .formatted(
            Requests.name(request.call()),
            request.matched().exchange().line(),
            changes.get(0).pointer());
    LedgerEntry entry = results.entry(request, Result.EXECUTED, null, null);
    state.divergence(entry, message);
    if (replay.stopsOnDivergence) {
      state.stop(new Stop(Stop.Cause.DIVERGENCE, message, entry));
    }
  }
}
