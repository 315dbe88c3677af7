package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.exchange.ExchangeMatcher;
import dev.agentreplay.engine.exchange.ExchangeMatcher.Matched;
import dev.agentreplay.engine.exchange.MatchRung;
import dev.agentreplay.engine.exchange.RecordedExchange;
import dev.agentreplay.engine.exchange.RecordedExchanges;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkPoint;
import dev.agentreplay.engine.replay.edit.ForkEdits;
import dev.agentreplay.engine.replay.policy.ReplayAction;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.model.ForkOrigin;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ReplayEvent;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The fork that a replay makes: decides for each request whether it is before the point, and so
 * served, or after it, and makes the changes. Requests are routed one at a time; the rest is safe
 * for use by several threads.
 */
final class ForkRun {

  /**
   * The route of a request.
   *
   * @param call the call, with the changes of the fork
   * @param action what becomes of it
   * @param miss the report on it if nothing answers it; null if something does
   * @param isBefore whether it is before the point, so that a miss ends the fork
   */
  record Route(
      ReplayEvent call, ReplayAction action, @Nullable ReplayMiss miss, boolean isBefore) {}

  private final Fork fork;
  private final ForkOrigin origin;
  private final ReplayPolicy policy;
  private final ReplayPolicy executing;
  private final RecordingFacts facts;
  private final RecordedExchanges recorded;
  private final ExchangeMatcher matcher;
  private final ForkEdits edits;
  private volatile boolean isReached;

  /** Whether the exchange at the point was requested, so that its changes were made. */
  private volatile boolean isMade;

  ForkRun(
      Fork fork,
      ForkPoint point,
      ReplayPolicy policy,
      RecordingFacts facts,
      RecordedExchanges recorded,
      ExchangeMatcher matcher) {
    this.fork = fork;
    this.origin =
        new ForkOrigin(facts.sessionId, Objects.requireNonNull(point.head()), fork.json());
    this.policy = policy;
    this.executing = policy.withMode(ReplayMode.FULL);
    this.facts = facts;
    this.recorded = recorded;
    this.matcher = matcher;
    this.edits = new ForkEdits(fork);
  }

  ForkOrigin origin() {
    return origin;
  }

  /** Whether a request after the point was made. */
  boolean isReached() {
    return isReached;
  }

  /** The reason why the fork is not the one that was asked for; null if it is. */
  @Nullable
  String incomplete() {
    if (!isReached) {
      return "the point of the fork, line %d, was not reached".formatted(fork.line());
    }
    boolean isAtPoint = edits.changeRequest() || edits.changeResult();
    return isAtPoint && !isMade
        ? "the changes of the fork were not made: no request matched that on line %d"
            .formatted(fork.line())
        : null;
  }

  /** Whether an exchange is before the point. */
  boolean isBefore(RecordedExchange exchange) {
    return exchange.line() < fork.line();
  }

  /** Whether an exchange is served whatever the mode: before the point, or changed at it. */
  boolean mayServe(RecordedExchange exchange) {
    return isBefore(exchange) || changesResult(exchange.line());
  }

  /**
   * Whether a value that an agent requests is after the point.
   *
   * @param line the line of the recorded value that it gets; null if there is none
   */
  boolean isAfter(@Nullable String agent, @Nullable Long line) {
    return line == null ? !matcher.isOpenBefore(agent, fork.line()) : line >= fork.line();
  }

  /**
   * Routes a request that was matched or missed.
   *
   * @param hasExecutor whether something can execute it
   * @throws IllegalArgumentException if a change does not fit it
   */
  Route route(Request request, boolean hasExecutor) throws IOException {
    Matched matched = request.matched();
    boolean isBefore = matched == null
        ? matcher.isOpenBefore(request.lane().agent(), fork.line())
        : isBefore(matched.exchange());
    return isBefore ? before(request, matched) : after(request, matched, hasExecutor);
  }

  private Route before(Request request, @Nullable Matched matched) throws IOException {
    ReplayEvent call = request.call();
    if (matched == null) {
      return new Route(call, ReplayAction.SERVE, request.miss(), true);
    } else if (!isEqual(matched)) {
      ReplayMiss differs = ExchangeMatcher.differs(matched.exchange(), call);
      return new Route(call, ReplayAction.SERVE, differs, true);
    }
    boolean runsAgent = !facts.parents.isEmpty()
        && facts.parents.containsValue(recorded.call(matched.exchange()).callId());
    ReplayAction action = runsAgent ? planned(policy, call) : ReplayAction.SERVE;
    return new Route(call, action, null, true);
  }

  private Route after(Request request, @Nullable Matched matched, boolean hasExecutor) {
    ReplayEvent call = request.call();
    String agent = request.lane().agent();
    ReplayMiss miss = request.miss();
    isReached = true;
    boolean isPoint = isPoint(matched == null ? null : matched.exchange().line());
    isMade |= isPoint;
    ReplayEvent edited = isPoint ? edits.atPoint(call, agent) : edits.afterPoint(call, agent);
    if (isPoint && edits.changeResult()) {
      return new Route(edited, ReplayAction.SERVE, null, false);
    }
    boolean isChanged = !edited.equals(call) || changes(call);
    ReplayAction planned = planned(policy, call);
    if (isChanged) {
      return new Route(edited, ReplayAction.EXECUTE_AND_COMPARE, miss, false);
    } else if (planned != ReplayAction.SERVE || (matched != null && isEqual(matched))) {
      return new Route(call, planned, miss, false);
    } else if (hasExecutor && planned(executing, call).executes()) {
      return new Route(call, ReplayAction.EXECUTE_AND_COMPARE, miss, false);
    }
    boolean isAtPlace = matched != null && matched.rung() == MatchRung.POSITION;
    ReplayMiss differs =
        matched == null || isAtPlace ? miss : ExchangeMatcher.differs(matched.exchange(), call);
    return new Route(call, ReplayAction.SERVE, differs, false);
  }

  /** Whether a recorded request is equal, and not only the one that is at its place. */
  private static boolean isEqual(Matched matched) {
    return switch (matched.rung()) {
      case EXACT, OUT_OF_ORDER, RULES -> true;
      case DELTA, POSITION -> false;
    };
  }

  private boolean isPoint(@Nullable Long line) {
    return line != null && line == fork.line();
  }

  /** Whether the fork executes all calls of the model or of a tool. */
  private boolean changes(ReplayEvent call) {
    return call instanceof ModelCall ? fork.changesModel() : fork.changesTool(Requests.name(call));
  }

  private ReplayAction planned(ReplayPolicy of, ReplayEvent call) {
    return call instanceof ModelCall ? of.model() : facts.action(of, Requests.name(call));
  }

  /** Whether the fork changes the result of the recorded exchange on a line. */
  boolean changesResult(@Nullable Long line) {
    return isPoint(line) && edits.changeResult();
  }

  /** The recorded result at the point with its changes. */
  ReplayEvent changed(ReplayEvent result) {
    return edits.result(result);
  }
}
