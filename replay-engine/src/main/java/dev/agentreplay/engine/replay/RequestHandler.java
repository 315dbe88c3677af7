package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.exchange.ExchangeMatcher;
import dev.agentreplay.engine.exchange.ExchangeMatcher.Matched;
import dev.agentreplay.engine.exchange.ExchangeMatcher.Missed;
import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.exchange.RecordedExchange;
import dev.agentreplay.engine.exchange.RecordedExchanges;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.replay.LedgerEntry.Result;
import dev.agentreplay.engine.replay.Request.Decision;
import dev.agentreplay.engine.replay.execution.ModelExecutor;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.files.ServedFiles;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayAction;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Handles the requests of an agent in a replay: matches each with the recording, answers it as the
 * policy says, records it, and enters it into the ledger. Safe for use by several threads.
 */
final class RequestHandler {

  private final Replay replay;
  private final RecordingFacts facts;
  private final ParameterChecks parameters;
  private final RecordedExchanges recorded;
  private final ExchangeMatcher matcher;
  private final ReplayRecording recording;
  private final ServedFiles files;
  private final ReplayState state;
  private final Executions executions;
  private final ServedStream streams;
  private final RequestResults results;
  private final LiveRequests live;
  private final @Nullable ForkRun fork;

  /** Keeps requests in one order in the matcher and in the log. */
  private final ReentrantLock order = new ReentrantLock();

  /** Signalled when a request was placed. */
  private final Condition isPlaced = order.newCondition();

  /** The number of requests so far; guarded by the lock. */
  private long requests;

  RequestHandler(
      Replay replay,
      RecordingCheck check,
      RecordedExchanges recorded,
      ExchangeMatcher matcher,
      ReplayRecording recording,
      ServedFiles files,
      ReplayState state,
      Executions executions,
      @Nullable ForkRun fork) {
    this.replay = replay;
    this.facts = check.facts();
    this.parameters = check.parameters();
    this.recorded = recorded;
    this.matcher = matcher;
    this.recording = recording;
    this.files = files;
    this.state = state;
    this.executions = executions;
    this.fork = fork;
    this.streams = new ServedStream(replay.pace, state);
    this.results = new RequestResults(recorded, recording, state);
    this.live = new LiveRequests(replay, recorded, matcher, state, executions, results);
  }

  /** The recording. */
  Session recorded() {
    return replay.session;
  }

  /** Fails if the replay has ended or was stopped. */
  void requireRunning() {
    state.requireRunning();
  }

  ToolResult tool(Lane lane, ToolCall call, @Nullable ToolExecutor given) throws Exception {
    ToolExecutor executor = given == null ? replay.executors.tool(call.tool()) : given;
    LiveRequests.Body body =
        executor == null ? null : request -> live.call(executor, (ToolCall) request);
    ReplayAction action = facts.action(replay.policy, call.tool());
    return (ToolResult) handle(lane, call, action, body, new LivePieces(piece -> {}));
  }

  ModelResult model(
      Lane lane, ModelCall call, Consumer<String> pieces, @Nullable ModelExecutor given)
      throws Exception {
    ModelExecutor executor = given == null ? replay.executors.model() : given;
    LivePieces passed = new LivePieces(pieces);
    LiveRequests.Body body =
        executor == null ? null : request -> live.call(executor, (ModelCall) request, passed);
    try {
      return (ModelResult) handle(lane, call, replay.policy.model(), body, passed);
    } finally {
      passed.end();
    }
  }

  private ReplayEvent handle(
      Lane lane,
      ReplayEvent call,
      ReplayAction action,
      LiveRequests.@Nullable Body body,
      LivePieces pieces)
      throws Exception {
    state.begin();
    try {
      InterruptedException interrupted = awaitTurn(lane);
      ExchangeStart start = ExchangeStart.now(state.time());
      String refusal = // in a fork it depends on the route
          interrupted == null && fork == null ? refusal(call, action, body) : null;
      Request request = place(lane, call, action, refusal, interrupted == null, body, start);
      try {
        lane.onPlaced().run();
        if (request.notRecorded() != null) {
          throw results.notRecorded(request, request.notRecorded());
        } else if (interrupted != null) {
          results.interrupted(request);
          throw interrupted;
        }
        return answer(request, body, pieces);
      } finally {
        answered(request);
      }
    } finally {
      state.end();
    }
  }

  private ReplayEvent answer(Request request, LiveRequests.@Nullable Body body, LivePieces pieces)
      throws Exception {
    return switch (request.action()) {
      case SERVE -> serve(request, pieces);
      case EXECUTE, EXECUTE_AND_COMPARE -> {
        if (request.refusal() != null) {
          throw results.refusedAgain(request, request.refusal());
        }
        yield live.execute(request, Objects.requireNonNull(body), pieces);
      }
      case REFUSE -> throw results.refused(request, Objects.requireNonNull(request.refusal()));
    };
  }

  /** Lets requests after the point of a fork continue. */
  private void answered(Request request) {
    if (fork == null) {
      return;
    }
    fork.answered(request);
    order.lock();
    try {
      isPlaced.signalAll();
    } finally {
      order.unlock();
    }
  }

  /**
   * Waits while the replay is paused, and until other agents have made their requests before the
   * point of a fork. Returns the interrupt that ended the wait; null if none.
   */
  private @Nullable InterruptedException awaitTurn(Lane lane) {
    try {
      state.awaitTurn();
      if (fork != null) {
        awaitPoint(fork, lane);
      }
      return null;
    } catch (InterruptedException e) {
      return e;
    }
  }

  /** Waits at most as long as for an exchange that was answered at once. */
  private void awaitPoint(ForkRun forked, Lane lane) throws InterruptedException {
    long start = System.nanoTime();
    long most = Executions.nanos(replay.timeouts.step(0L));
    order.lockInterruptibly();
    try {
      while (forked.isAhead(lane.agent())
          && state.stopped() == null
          && System.nanoTime() - start < most) {
        isPlaced.await(50, TimeUnit.MILLISECONDS); // also if the replay is stopped
      }
    } finally {
      order.unlock();
    }
  }

  /**
   * Enters a request that no event can state, such as one with a parameter that has no JSON form.
   * Returns the exception for the agent.
   *
   * @param call the call without what it cannot state
   */
  RuntimeException notStated(Lane lane, ReplayEvent call, IllegalArgumentException reason) {
    state.begin();
    try {
      ExchangeStart start = ExchangeStart.now(state.time());
      Request request = numbered(lane, call, start);
      lane.onPlaced().run();
      return results.notRecorded(request, reason);
    } finally {
      state.end();
    }
  }

  private Request numbered(Lane lane, ReplayEvent call, ExchangeStart start) {
    order.lock();
    try {
      state.requireNotStopped();
      requests++;
      return Request.of(requests, lane, call, start);
    } finally {
      order.unlock();
    }
  }

  /** Matches a request, and records its call: its place in the order of requests. */
  private Request place(
      Lane lane,
      ReplayEvent call,
      ReplayAction planned,
      @Nullable String refusal,
      boolean isRouted,
      LiveRequests.@Nullable Body body,
      ExchangeStart start) {
    order.lock();
    try {
      state.requireNotStopped(); // by a request before this one
      ExchangeMatcher.Result match = match(call, lane);
      Matched matched = match instanceof Matched found ? found : null;
      ReplayMiss miss = match instanceof Missed missed ? missed.miss() : null;
      Request request = Request.of(requests + 1, lane, call, start)
          .with(new Decision(
              planned, null, matched, miss, replay.onUnmatched == OnUnmatched.STOP, null));
      Request placed = record(
          fork == null || !isRouted ? decided(request, planned, refusal) : routed(request, body));
      requests++;
      isPlaced.signalAll();
      return placed;
    } finally {
      order.unlock();
    }
  }

  /** Routes a request of a fork. Other requests wait while its parameters are checked. */
  private Request routed(Request request, LiveRequests.@Nullable Body body) {
    ForkRun.Route route;
    try {
      route = Objects.requireNonNull(fork).route(request, body != null);
    } catch (IOException e) {
      throw state.fail(e);
    } catch (IllegalArgumentException unfit) { // unlike the recorded request, which it fits
      throw state.fail(new IOException(
          "the change of the fork does not fit the request: " + unfit.getMessage(), unfit));
    }
    Request changed = request
        .withCall(route.call())
        .with(new Decision(
            route.action(),
            null,
            request.matched(),
            route.miss(),
            request.stopsIfMissed() || route.isBefore(),
            route.answer()));
    String refusal = refusal(route.call(), route.action(), body);
    if (refusal != null) {
      state.requireNotStopped(); // which would have ended the check
    }
    return decided(changed, route.action(), refusal);
  }

  private Request decided(Request request, ReplayAction planned, @Nullable String refusal) {
    Matched matched = request.matched();
    boolean isRefused = refusal != null && !isRecorded(refusal, matched);
    Decision decision =
        request.decision().withAction(isRefused ? ReplayAction.REFUSE : planned, refusal);
    if (matched != null
        && decision.action() == ReplayAction.SERVE
        && decision.answer() == null
        && !matched.exchange().isAnswered()) {
      return request.with(decision.withMiss(
          ExchangeMatcher.unanswerable(matched.exchange(), request.call(), MissKind.UNDECIDED)));
    }
    return request.with(decision);
  }

  /** Whether the recorded result of an exchange is the same refusal, made by a check. */
  private boolean isRecorded(String refusal, @Nullable Matched matched) {
    try {
      return matched != null
          && recorded.result(matched.exchange()) instanceof ToolResult result
          && ParameterChecks.refused(refusal).equals(result.outcome());
    } catch (IOException e) {
      throw state.fail(e);
    }
  }

  private ExchangeMatcher.Result match(ReplayEvent call, Lane lane) {
    try {
      return matcher.match(call, lane.agent());
    } catch (IOException | RuntimeException e) {
      throw state.fail(e);
    }
  }

  /** Records the call of a request. Returns the request with its id in the log. */
  private Request record(Request request) {
    try {
      Long line = request.line();
      if (line != null) {
        files.beforeCall(line);
      }
      return request.withId(
          recording.call(request.lane(), request.call(), request.provenance(expected(request))));
    } catch (IOException e) {
      throw state.fail(e);
    } catch (IllegalArgumentException refused) {
      if (request.matched() == null) {
        return request.withNotRecorded(refused);
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

  private ReplayEvent serve(Request request, LivePieces pieces) throws Exception {
    if (request.answer() != null) {
      return serve(request, withId(request.answer(), request), Result.ANSWERED, pieces);
    } else if (request.matched() == null || request.miss() != null) {
      throw results.missed(request, request.miss());
    }
    RecordedExchange exchange = request.matched().exchange();
    ReplayEvent result;
    JsonValue value;
    try {
      result = recorded.result(exchange);
      Content content = result == null ? Content.NONE : result.content();
      value = recorded.resolve(content);
      if (value == null && content.lacksValue()) {
        result = null;
      }
      if (result != null && ServedStream.isServable(result, value)) {
        files.serve(exchange.line());
      }
    } catch (IOException e) {
      throw state.fail(e);
    }
    if (result == null) {
      throw results.missed(
          request, ExchangeMatcher.unanswerable(exchange, request.call(), MissKind.NOT_SERVABLE));
    } else if (!ServedStream.isServable(result, value)) {
      throw results.missed(request, ExchangeMatcher.unservableStream(exchange, request.call()));
    }
    ReplayEvent served = Requests.result(result, request.id(), value, result.meta());
    Result how = Result.SERVED;
    if (fork != null && fork.changesResult(request.line())) {
      served = changed(request, served, exchange.line(), value);
      how = Result.CHANGED;
    }
    return serve(request, served, how, pieces);
  }

  /**
   * Serves a result.
   *
   * @param served the result, with the id of the request
   */
  private ReplayEvent serve(Request request, ReplayEvent served, Result how, LivePieces pieces)
      throws InterruptedException {
    try {
      streams.serve(served, pieces);
    } catch (ReplayStoppedException stopped) {
      results.enter(request, Result.CANCELLED, null, stopped.getMessage());
      throw stopped;
    } catch (InterruptedException | RuntimeException | Error e) { // of the agent, which has pieces
      results.answer(request, results.cut(request, served, e, pieces), how);
      throw e;
    }
    results.answer(request, served, how);
    return request.forAgent(served);
  }

  private static ReplayEvent withId(ReplayEvent result, Request request) {
    return Requests.result(result, request.id(), result.content().value(), result.meta());
  }

  /** The served result at the point of the fork, with its changes. */
  private ReplayEvent changed(
      Request request, ReplayEvent served, long line, @Nullable JsonValue value) {
    ReplayEvent changed = withId(Objects.requireNonNull(fork).changed(served, line), request);
    JsonValue newValue = changed.content().value();
    if (value != null && newValue != null) {
      matcher.addDifference(newValue, value);
    }
    return changed;
  }

  /** The reason to refuse a request; null if there is none. */
  private @Nullable String refusal(
      ReplayEvent call, ReplayAction action, LiveRequests.@Nullable Body body) {
    String reason = policyRefusal(call, action, body);
    return reason == null && action.executes() && call instanceof ToolCall tool
        ? parameters.refusal(tool, executions)
        : reason;
  }

  private static @Nullable String policyRefusal(
      ReplayEvent call, ReplayAction action, LiveRequests.@Nullable Body body) {
    String what = Requests.kindAndName(call);
    if (action == ReplayAction.REFUSE) {
      return "%s is refused by the policy of the replay".formatted(what);
    }
    if (action.executes() && body == null) {
      return "%s is to be executed, but there is no executor for it".formatted(what);
    }
    return action.executes() && call.content().lacksValue()
        ? "%s is to be executed, but only the hash of its %s is known"
            .formatted(what, call instanceof ToolCall ? "parameters" : "prompt")
        : null;
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
}
