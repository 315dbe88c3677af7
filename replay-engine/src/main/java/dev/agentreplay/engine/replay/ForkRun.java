package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.exchange.ExchangeMatcher;
import dev.agentreplay.engine.exchange.ExchangeMatcher.Matched;
import dev.agentreplay.engine.exchange.MatchRung;
import dev.agentreplay.engine.exchange.RecordedExchange;
import dev.agentreplay.engine.exchange.RecordedExchanges;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkChange;
import dev.agentreplay.engine.fork.ForkPoint;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.engine.replay.edit.ForkEdits;
import dev.agentreplay.engine.replay.execution.AnswerSource;
import dev.agentreplay.engine.replay.policy.ReplayAction;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.model.ForkOrigin;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
   * @param action the action that answers it
   * @param miss the report on it if nothing answers it; null if something does
   * @param isBefore whether it is before the point, so that a miss ends the fork
   * @param answer the result to serve in place of a recorded one; null for that one
   */
  record Route(
      ReplayEvent call,
      ReplayAction action,
      @Nullable ReplayMiss miss,
      boolean isBefore,
      @Nullable ReplayEvent answer) {}

  private final Fork fork;
  private final ForkOrigin origin;
  private final ReplayPolicy policy;
  private final ReplayPolicy executing;
  private final RecordingFacts facts;
  private final RecordedExchanges recorded;
  private final ExchangeMatcher matcher;
  private final @Nullable AnswerSource answers;
  private final ForkEdits edits;

  /** Whether the files at the point are there, on which tools of the agent work. */
  private final boolean hasFiles;

  /** The agents whose exchanges before the point need not be made again. */
  private final Set<String> ended;

  /** The numbers of the requests before the point that are being answered. */
  private final Set<Long> pending = ConcurrentHashMap.newKeySet();

  private volatile boolean isReached;

  /** The changes that were not made yet, because nothing has requested what they change. */
  private final Set<ForkChange> notMade = ConcurrentHashMap.newKeySet();

  ForkRun(
      Fork fork,
      ForkPoints points,
      ForkPoint point,
      Replay replay,
      RecordingFacts facts,
      RecordedExchanges recorded,
      ExchangeMatcher matcher) {
    this.fork = fork;
    this.hasFiles = ForkCheck.hasFiles(replay, point);
    this.origin =
        new ForkOrigin(facts.sessionId, Objects.requireNonNull(point.head()), fork.json());
    this.policy = replay.policy;
    this.answers = replay.answers;
    this.executing = policy.withMode(ReplayMode.FULL);
    this.facts = facts;
    this.recorded = recorded;
    this.matcher = matcher;
    this.edits = new ForkEdits(fork);
    notMade.addAll(fork.changes());
    this.ended = new HashSet<>(points.agentsEndedBefore(fork.line()));
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
    return fork.changes().stream()
        .filter(notMade::contains)
        .findFirst()
        .map(this::notMade)
        .orElse(null);
  }

  private String notMade(ForkChange change) {
    if (change instanceof ForkChange.OfLine of) {
      return "the change of line %d was not made: nothing requested it again".formatted(of.line());
    } else if (change instanceof ForkChange.Tool tool) {
      return "the tool %s was not called after the point of the fork, line %d"
          .formatted(tool.name(), fork.line());
    }
    return "no model was called after the point of the fork, line %d".formatted(fork.line());
  }

  /** Notes that the changes of a line were made. */
  private void made(long line) {
    notMade.removeIf(change -> change instanceof ForkChange.OfLine of && of.line() == line);
  }

  /** The line of the first exchange before the point that was not requested; null if all were. */
  @Nullable
  Long missingBefore() {
    return matcher.firstOpenBefore(fork.line(), agent -> agent == null || !ended.contains(agent));
  }

  /**
   * Whether an agent has made its requests before the point, but not all are answered, or others
   * have not made theirs.
   */
  boolean isAhead(@Nullable String agent) {
    return (!pending.isEmpty() || missingBefore() != null)
        && matcher.firstOpenBefore(fork.line(), each -> Objects.equals(each, agent)) == null;
  }

  /** Notes that a request was answered. */
  void answered(Request request) {
    pending.remove(request.number());
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
  boolean isAfter(@Nullable Long line) {
    return line == null ? missingBefore() == null : line >= fork.line();
  }

  /**
   * Routes a request that was matched or missed.
   *
   * @param hasExecutor whether something can execute it
   * @throws IllegalArgumentException if a change does not fit it
   */
  Route route(Request request, boolean hasExecutor) throws IOException {
    Matched matched = request.matched();
    Long missing = missingBefore();
    if (matched != null && isBefore(matched.exchange())) {
      return before(request, matched);
    } else if (missing == null) {
      return after(request, matched, hasExecutor);
    }
    ReplayMiss miss = matched == null
        ? request.miss()
        : ExchangeMatcher.early(matched.exchange(), request.call(), missing);
    return new Route(request.call(), ReplayAction.SERVE, miss, true, null);
  }

  private Route before(Request request, Matched matched) throws IOException {
    ReplayEvent call = request.call();
    if (!isEqual(matched)) {
      ReplayMiss differs = ExchangeMatcher.differs(matched.exchange(), call);
      return new Route(call, ReplayAction.SERVE, differs, true, null);
    }
    ReplayAction named = policy.tools().get(Requests.name(call));
    if (named != null
        && named.executes()
        && facts.parents.containsValue(recorded.call(matched.exchange()).callId())) {
      return new Route(call, named, null, true, null); // its agent may continue after the point
    }
    pending.add(request.number());
    return new Route(call, ReplayAction.SERVE, null, true, null);
  }

  private Route after(Request request, @Nullable Matched matched, boolean hasExecutor)
      throws IOException {
    ReplayEvent call = request.call();
    String agent = request.lane().agent();
    ReplayMiss miss = request.miss();
    isReached = true;
    Long line = matched == null ? null : matched.exchange().line();
    ReplayEvent edited = edits.request(call, line, agent);
    if (line != null) {
      made(line);
    }
    if (edits.changesResult(line)) {
      return new Route(edited, ReplayAction.SERVE, null, false, null);
    }
    if (changes(call)) {
      notMade.remove(
          call instanceof ModelCall
              ? new ForkChange.Model()
              : new ForkChange.Tool(Requests.name(call)));
      return new Route(edited, ReplayAction.EXECUTE_AND_COMPARE, miss, false, null);
    }
    ReplayAction planned = planned(policy, call);
    boolean isEdited = !edited.equals(call);
    boolean isEqual = !isEdited && matched != null && isEqual(matched);
    if (isEqual || (!isEdited && planned != ReplayAction.SERVE)) {
      return new Route(call, planned, miss, false, null);
    }
    ReplayEvent answer = answers == null ? null : answers.answer(edited, agent);
    if (answer != null) {
      return new Route(edited, ReplayAction.SERVE, miss, false, answer);
    }
    boolean mayExecute =
        planned(executing, call).executes() && (hasFiles || call instanceof ModelCall);
    if (mayExecute && (isEdited || hasExecutor)) {
      return new Route(edited, ReplayAction.EXECUTE_AND_COMPARE, miss, false, null);
    }
    boolean isAtPlace = !isEdited && matched != null && matched.rung() == MatchRung.POSITION;
    ReplayMiss differs =
        matched == null || isAtPlace ? miss : ExchangeMatcher.differs(matched.exchange(), call);
    return new Route(edited, ReplayAction.SERVE, differs, false, null);
  }

  /** Whether a recorded request is equal, and not only the one that is at its place. */
  private static boolean isEqual(Matched matched) {
    return switch (matched.rung()) {
      case EXACT, OUT_OF_ORDER, RULES -> true;
      case DELTA, POSITION -> false;
    };
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
    return edits.changesResult(line);
  }

  /** The recorded result of the exchange on a line with its changes. */
  ReplayEvent changed(ReplayEvent result, long line) {
    return edits.result(result, line);
  }

  /** The recorded value on a line with its change. */
  JsonValue changed(JsonValue value, long line) {
    if (line >= fork.line() && missingBefore() == null) {
      isReached = true; // never false again, also if a request after the point is made meanwhile
    }
    made(line);
    return edits.value(value, line);
  }
}
