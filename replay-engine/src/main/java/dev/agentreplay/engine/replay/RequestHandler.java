package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.diff.ValueChange;
import dev.agentreplay.engine.exchange.ExchangeKind;
import dev.agentreplay.engine.exchange.ExchangeMatcher;
import dev.agentreplay.engine.exchange.ExchangeMatcher.Matched;
import dev.agentreplay.engine.exchange.ExchangeMatcher.Missed;
import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.exchange.RecordedExchange;
import dev.agentreplay.engine.exchange.RecordedExchanges;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.replay.LedgerEntry.Result;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.StreamedText;
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
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Handles the requests of an agent in a replay: matches each with the recording, answers it as the
 * policy says, records it, and enters it into the ledger. Safe for use by several threads.
 */
final class RequestHandler {

  /** The name of the failure that is recorded for a request without an answer. */
  private static final String MISS = "ReplayMiss";

  private static final String REFUSED = "ReplayRefused";

  private final Replay replay;
  private final RecordingFacts facts;
  private final ParameterChecks parameters;
  private final RecordedExchanges recorded;
  private final ExchangeMatcher matcher;
  private final ReplayRecording recording;
  private final ReplayState state;
  private final Executions executions;
  private final ServedStream streams;

  /** Keeps requests in one order in the matcher and in the log. */
  private final ReentrantLock order = new ReentrantLock();

  /** The number of requests so far; guarded by the lock. */
  private long requests;

  RequestHandler(
      Replay replay,
      RecordingCheck check,
      RecordedExchanges recorded,
      ExchangeMatcher matcher,
      ReplayRecording recording,
      ReplayState state,
      Executions executions) {
    this.replay = replay;
    this.facts = check.facts();
    this.parameters = check.parameters();
    this.recorded = recorded;
    this.matcher = matcher;
    this.recording = recording;
    this.state = state;
    this.executions = executions;
    this.streams = new ServedStream(replay.pace, state);
  }

  /** Executes a call; null if nothing can. */
  private interface Body {
    ReplayEvent call(ReplayEvent call) throws Exception;
  }

  /** Fails if the replay has ended or was stopped. */
  void requireRunning() {
    state.requireRunning();
  }

  ToolResult tool(Lane lane, ToolCall call, @Nullable ToolExecutor given) throws Exception {
    ToolExecutor executor = given == null ? replay.executors.tool(call.tool()) : given;
    Body body = executor == null ? null : request -> execute(executor, (ToolCall) request);
    ReplayAction action = facts.action(replay.policy, call.tool());
    String refusal = refusal(call, action, body);
    if (refusal == null && action.executes()) {
      refusal = parameters.refusal(call, executions);
    }
    return (ToolResult) handle(lane, call, action, refusal, body, piece -> {});
  }

  ModelResult model(
      Lane lane, ModelCall call, Consumer<String> pieces, @Nullable ModelExecutor given)
      throws Exception {
    ModelExecutor executor = given == null ? replay.executors.model() : given;
    LivePieces live = new LivePieces(pieces);
    Body body = executor == null ? null : request -> execute(executor, (ModelCall) request, live);
    try {
      ReplayAction action = replay.policy.model();
      String refusal = refusal(call, action, body);
      return (ModelResult) handle(lane, call, action, refusal, body, pieces);
    } finally {
      live.end();
    }
  }

  /**
   * Handles a request.
   *
   * @param refusal the reason to refuse it, whatever the action; null if there is none
   */
  private ReplayEvent handle(
      Lane lane,
      ReplayEvent call,
      ReplayAction action,
      @Nullable String refusal,
      @Nullable Body body,
      Consumer<String> pieces)
      throws Exception {
    state.awaitTurn();
    ExchangeStart start = ExchangeStart.now(state.time());
    state.begin();
    try {
      Request request = place(lane, call, refusal == null ? action : ReplayAction.REFUSE, start);
      lane.onPlaced().run();
      return switch (request.action()) {
        case SERVE -> serve(request, pieces);
        case EXECUTE, EXECUTE_AND_COMPARE -> executed(request, body);
        case REFUSE -> throw refuse(request, Objects.requireNonNull(refusal));
      };
    } finally {
      state.end();
    }
  }

  /** Matches a request, and records its call: its place in the order of requests. */
  private Request place(Lane lane, ReplayEvent call, ReplayAction action, ExchangeStart start) {
    order.lock();
    try {
      state.requireNotStopped(); // by a request before this one
      ExchangeMatcher.Result match = match(call, lane);
      Matched matched = match instanceof Matched found ? found : null;
      ReplayMiss miss = match instanceof Missed missed ? missed.miss() : null;
      if (matched != null && action == ReplayAction.SERVE && !matched.exchange().isAnswered()) {
        miss = matcher.unanswerable(matched.exchange(), MissKind.UNDECIDED);
      }
      Request draft = new Request(requests + 1, lane, call, "", action, matched, miss, start);
      String id = record(draft);
      requests++;
      return new Request(draft.number(), lane, call, id, action, matched, miss, start);
    } finally {
      order.unlock();
    }
  }

  private ExchangeMatcher.Result match(ReplayEvent call, Lane lane) {
    try {
      return matcher.match(call, lane.agent());
    } catch (IOException | RuntimeException e) {
      throw state.fail(e);
    }
  }

  /** Records the call of a request. Returns its id in the log. */
  private String record(Request request) {
    try {
      return recording.call(request.lane(), request.call(), request.provenance(expected(request)));
    } catch (IOException e) {
      throw state.fail(e);
    } catch (IllegalArgumentException refused) {
      if (request.matched() == null) {
        throw refused; // a request that no recorder takes, and that was not recorded
      }
      throw state.fail(refused);
    }
  }

  private static Result expected(Request request) {
    return switch (request.action()) {
      case SERVE -> request.miss() == null ? Result.SERVED : Result.MISSED;
      case EXECUTE, EXECUTE_AND_COMPARE -> Result.EXECUTED;
      case REFUSE -> Result.REFUSED;
    };
  }

  // ---- served

  private ReplayEvent serve(Request request, Consumer<String> pieces) throws Exception {
    if (request.matched() == null || request.miss() != null) {
      throw missed(request, request.miss());
    }
    RecordedExchange exchange = request.matched().exchange();
    ReplayEvent result;
    JsonValue value;
    try {
      result = recorded.result(exchange);
      Content content = result == null ? Content.NONE : result.content();
      value = recorded.resolve(content);
      if (value == null && (content.hash() != null || content.blob() != null)) {
        result = null;
      }
    } catch (IOException e) {
      throw state.fail(e);
    }
    if (result == null) {
      throw missed(request, matcher.unanswerable(exchange, MissKind.NOT_SERVABLE));
    }
    ReplayEvent served = Requests.result(result, request.id(), value, result.meta());
    try {
      streams.serve(served, pieces);
    } catch (ReplayStoppedException stopped) {
      enter(request, Result.CANCELLED, null, stopped.getMessage());
      throw stopped;
    } catch (InterruptedException | RuntimeException | Error e) { // of the agent, which has pieces
      answer(request, served, Result.SERVED, null);
      throw e;
    }
    answer(request, served, Result.SERVED, null);
    return forAgent(request, served);
  }

  /** The result with the id that the agent knows. */
  private static ReplayEvent forAgent(Request request, ReplayEvent result) {
    String id = request.call().callId();
    return id == null || id.isBlank() || id.equals(request.id())
        ? result
        : Requests.result(result, id, result.content().value(), result.meta());
  }

  private RuntimeException missed(Request request, @Nullable ReplayMiss miss) throws IOException {
    ReplayMiss report = Objects.requireNonNull(miss, "a request without a match has a report");
    ReplayEvent result = failure(request, Outcome.failed(MISS, report.message()), report.message());
    enter(request, Result.MISSED, report, null);
    if (report.kind() != MissKind.UNDECIDED) {
      record(request, result, Result.MISSED);
    }
    state.divergence(entry(request, Result.MISSED, report, null), report.message());
    if (replay.onUnmatched == OnUnmatched.STOP) {
      state.stop(new Stop(
          report.kind() == MissKind.UNDECIDED ? Stop.Cause.DIVERGENCE : Stop.Cause.MISS,
          report.message()));
    }
    return new ReplayMissException(report);
  }

  // ---- refused

  /** The reason to refuse a request; null if there is none. */
  private static @Nullable String refusal(
      ReplayEvent call, ReplayAction action, @Nullable Body body) {
    String what =
        call instanceof ToolCall tool ? "tool " + tool.tool() : "model " + RequestNames.of(call);
    if (action == ReplayAction.REFUSE) {
      return "%s is refused by the policy of the replay".formatted(what);
    }
    return action.executes() && body == null
        ? "%s is to be executed, but there is no executor for it".formatted(what)
        : null;
  }

  private RuntimeException refuse(Request request, String message) throws IOException {
    ReplayEvent result = failure(request, Outcome.failed(REFUSED, message), message);
    enter(request, Result.REFUSED, null, message);
    record(request, result, Result.REFUSED);
    state.divergence(entry(request, Result.REFUSED, null, message), message);
    return new ExchangeRefusedException(message);
  }

  // ---- executed

  private ReplayEvent executed(Request request, @Nullable Body body) throws Exception {
    String exceeded = state.budget().addCall(request.call());
    if (exceeded != null) {
      state.stop(new Stop(Stop.Cause.BUDGET, exceeded));
      throw cancelled(request, exceeded);
    }
    ReplayMiss miss = request.miss();
    if (miss != null && replay.stopsOnDivergence) {
      RuntimeException missed = missed(request, miss);
      state.stop(new Stop(Stop.Cause.DIVERGENCE, miss.message()));
      throw missed;
    } else if (miss != null) {
      state.divergence(entry(request, Result.EXECUTED, miss, null), miss.message());
    }
    String name = RequestNames.of(request.call());
    Long latency =
        request.matched() == null ? null : request.matched().exchange().latencyMillis();
    Duration timeout = replay.timeouts.step(latency);
    ReplayEvent call =
        Requests.withId(request.call(), request.id(), request.call().meta());
    Callable<ReplayEvent> execution = () -> Objects.requireNonNull(body).call(call);
    ReplayEvent result;
    try {
      result = executions.execute(name, execution, timeout, waited -> state.extend(name, waited));
    } catch (Exception e) {
      throw failed(request, e);
    }
    compare(request, result);
    answer(request, result, Result.EXECUTED, null);
    if (request.call() instanceof ModelCall model && result instanceof ModelResult answered) {
      String over = state.budget().add(model, answered);
      if (over != null) {
        state.stop(new Stop(Stop.Cause.BUDGET, over));
      }
    }
    return forAgent(request, result);
  }

  /** Enters a request that has no result, because the replay was stopped. */
  private ReplayStoppedException cancelled(Request request, String reason) {
    enter(request, Result.CANCELLED, null, "cancelled: " + reason);
    return new ReplayStoppedException("the replay was stopped: " + reason);
  }

  /** Records that an execution failed. Returns the exception for the agent. */
  private Exception failed(Request request, Exception e) throws IOException {
    Stop stop = state.cut();
    if (stop != null) {
      return cancelled(request, stop.reason());
    } else if (e instanceof ExchangeTimeoutException) {
      String message = String.valueOf(e.getMessage());
      enter(request, Result.TIMED_OUT, null, message);
      record(request, failure(request, Outcome.timedOut(message), message), Result.TIMED_OUT);
      state.divergence(entry(request, Result.TIMED_OUT, null, message), message);
      return e;
    }
    boolean isError = e instanceof ExecutionException && e.getCause() instanceof Error;
    Throwable thrown = isError ? Objects.requireNonNull(e.getCause()) : e;
    ReplayEvent result = failure(request, Outcome.failed(thrown), Failure.message(thrown));
    compare(request, result);
    answer(request, result, Result.EXECUTED, null);
    return e;
  }

  private ReplayEvent execute(ToolExecutor executor, ToolCall call) throws Exception {
    long start = System.nanoTime();
    ToolResult result = executor.execute(call);
    Objects.requireNonNull(result, "the executor of the tool returned null");
    return Executions.finished(result, call.id(), millisSince(start));
  }

  private ReplayEvent execute(ModelExecutor executor, ModelCall call, Consumer<String> pieces)
      throws Exception {
    long start = System.nanoTime();
    StreamedText stream = new StreamedText();
    state.callsModel(executor);
    ModelCall deterministic = state.deterministic(call);
    ModelResult result = executor.call(deterministic, piece -> {
      stream.add(millisSince(start), piece);
      pieces.accept(piece);
    });
    Objects.requireNonNull(result, "the executor of the model returned null");
    return Executions.finished(result, call.id(), millisSince(start), stream);
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
      changes = recorded.comparison().compare(expected, result);
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
            RequestNames.of(request.call()),
            request.matched().exchange().line(),
            changes.get(0).pointer());
    state.divergence(entry(request, Result.EXECUTED, null, null), message);
    if (replay.stopsOnDivergence) {
      state.stop(new Stop(Stop.Cause.DIVERGENCE, message));
    }
  }

  /** The result of a request that failed, with the time since it was made. */
  private ReplayEvent failure(Request request, Outcome outcome, String message) {
    long millis = (state.time().micros() - request.start().micros()) / 1_000;
    return Requests.failed(request.call(), request.id(), outcome, message, millis);
  }

  // ---- recorded

  private void answer(Request request, ReplayEvent result, Result how, @Nullable String message)
      throws IOException {
    enter(request, how, request.miss(), message);
    record(request, result, how);
  }

  private void record(Request request, ReplayEvent result, Result how) {
    try {
      state.written(recording.result(request.lane(), result, request.provenance(how)));
    } catch (IOException e) {
      throw state.fail(e);
    } catch (RuntimeException refused) { // what the agent got must be in the recording
      throw state.fail(new IOException(
          "the result of %s cannot be recorded: %s"
              .formatted(RequestNames.of(request.call()), refused.getMessage()),
          refused));
    }
  }

  /** Records an event that the agent states. */
  void state(Lane lane, ReplayEvent event) {
    state.requireRunning();
    try {
      state.written(recording.state(lane, event));
    } catch (IOException e) {
      throw state.fail(e);
    }
  }

  private void enter(
      Request request, Result how, @Nullable ReplayMiss miss, @Nullable String message) {
    state.enter(entry(request, how, miss, message), request.matched(), request.start());
  }

  private LedgerEntry entry(
      Request request, Result how, @Nullable ReplayMiss miss, @Nullable String message) {
    long now = state.time().micros();
    boolean isMatched = request.matched() != null && how != Result.MISSED;
    return new LedgerEntry(
        request.number(),
        ExchangeKind.ofCall(request.call()),
        request.lane().agent(),
        RequestNames.of(request.call()),
        how,
        isMatched ? request.rung() : null,
        request.line(),
        now,
        now - request.start().micros(),
        miss,
        message);
  }
}
