package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.exchange.ExchangeMatcher.Matched;
import dev.agentreplay.engine.exchange.MatchRung;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.replay.LedgerEntry.Result;
import dev.agentreplay.engine.replay.policy.ReplayAction;
import dev.agentreplay.model.Provenance;
import dev.agentreplay.model.ReplayEvent;
import org.jspecify.annotations.Nullable;

/**
 * A request that is being handled.
 *
 * @param id the id of the call in the log of the replay
 * @param decision the decision on it
 * @param notRecorded the reason why the recorder does not take the call; null if it is in the log
 */
record Request(
    long number,
    Lane lane,
    ReplayEvent call,
    String id,
    Decision decision,
    ExchangeStart start,
    @Nullable IllegalArgumentException notRecorded) {

  /**
   * The decision on a request.
   *
   * @param action the action that answers it
   * @param refusal the reason to refuse it; null if there is none
   * @param matched the recorded exchange; null if there is none
   * @param miss the report if nothing answers it; null if something does
   * @param stopsIfMissed whether the replay stops if nothing answers it
   * @param answer the result to serve in place of a recorded one; null for that one
   */
  record Decision(
      ReplayAction action,
      @Nullable String refusal,
      @Nullable Matched matched,
      @Nullable ReplayMiss miss,
      boolean stopsIfMissed,
      @Nullable ReplayEvent answer) {

    /** The decision to refuse what is not matched. */
    static final Decision REFUSED =
        new Decision(ReplayAction.REFUSE, null, null, null, false, null);

    Decision withAction(ReplayAction newAction, @Nullable String newRefusal) {
      return new Decision(newAction, newRefusal, matched, miss, stopsIfMissed, answer);
    }

    Decision withMiss(@Nullable ReplayMiss newMiss) {
      return new Decision(action, refusal, matched, newMiss, stopsIfMissed, answer);
    }
  }

  /** A request that is not matched, and refused unless another decision is made. */
  static Request of(long number, Lane lane, ReplayEvent call, ExchangeStart start) {
    return new Request(number, lane, call, "", Decision.REFUSED, start, null);
  }

  Request withCall(ReplayEvent newCall) {
    return new Request(number, lane, newCall, id, decision, start, notRecorded);
  }

  Request with(Decision newDecision) {
    return new Request(number, lane, call, id, newDecision, start, notRecorded);
  }

  Request withId(String newId) {
    return new Request(number, lane, call, newId, decision, start, null);
  }

  Request withNotRecorded(IllegalArgumentException reason) {
    return new Request(number, lane, call, id, decision, start, reason);
  }

  ReplayAction action() {
    return decision.action();
  }

  @Nullable
  String refusal() {
    return decision.refusal();
  }

  @Nullable
  Matched matched() {
    return decision.matched();
  }

  @Nullable
  ReplayMiss miss() {
    return decision.miss();
  }

  boolean stopsIfMissed() {
    return decision.stopsIfMissed();
  }

  @Nullable
  ReplayEvent answer() {
    return decision.answer();
  }

  @Nullable
  MatchRung rung() {
    return matched() == null ? null : matched().rung();
  }

  @Nullable
  Long line() {
    return matched() == null ? null : matched().exchange().line();
  }

  Provenance provenance(Result result) {
    MatchRung rung = rung();
    boolean isCut =
        result == Result.TIMED_OUT || result == Result.NOT_EXECUTED || result == Result.CANCELLED;
    String action = isCut ? Result.EXECUTED.id() : result.id();
    return new Provenance(action, rung == null ? null : rung.id(), line());
  }

  /** A result with the id that the agent knows. */
  ReplayEvent forAgent(ReplayEvent result) {
    String known = call.callId();
    return known == null || known.isBlank() || known.equals(id)
        ? result
        : Requests.result(result, known, result.content().value(), result.meta());
  }
}
