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
 * @param action the action that answers it
 * @param refusal the reason to refuse it; null if there is none
 * @param matched the recorded exchange; null if there is none
 * @param miss the report if nothing answers it; null if something does
 * @param stopsIfMissed whether the replay stops if nothing answers it
 * @param answer the result to serve in place of a recorded one; null for that one
 * @param notRecorded the reason why the recorder does not take the call; null if it is in the log
 */
record Request(
    long number,
    Lane lane,
    ReplayEvent call,
    String id,
    ReplayAction action,
    @Nullable String refusal,
    @Nullable Matched matched,
    @Nullable ReplayMiss miss,
    boolean stopsIfMissed,
    @Nullable ReplayEvent answer,
    ExchangeStart start,
    @Nullable IllegalArgumentException notRecorded) {

  /** A request that is not matched, and refused unless it gets another action. */
  static Request of(long number, Lane lane, ReplayEvent call, ExchangeStart start) {
    return new Request(
        number, lane, call, "", ReplayAction.REFUSE, null, null, null, false, null, start, null);
  }

  Request withCall(ReplayEvent newCall) {
    return new Request(
        number,
        lane,
        newCall,
        id,
        action,
        refusal,
        matched,
        miss,
        stopsIfMissed,
        answer,
        start,
        notRecorded);
  }

  Request withAnswer(@Nullable ReplayEvent newAnswer) {
    return new Request(
        number,
        lane,
        call,
        id,
        action,
        refusal,
        matched,
        miss,
        stopsIfMissed,
        newAnswer,
        start,
        notRecorded);
  }

  Request withMatch(@Nullable Matched newMatched, @Nullable ReplayMiss newMiss, boolean stops) {
    return new Request(
        number,
        lane,
        call,
        id,
        action,
        refusal,
        newMatched,
        newMiss,
        stops,
        answer,
        start,
        notRecorded);
  }

  Request withAction(ReplayAction newAction, @Nullable String newRefusal) {
    return new Request(
        number,
        lane,
        call,
        id,
        newAction,
        newRefusal,
        matched,
        miss,
        stopsIfMissed,
        answer,
        start,
        notRecorded);
  }

  Request withId(String newId) {
    return new Request(
        number,
        lane,
        call,
        newId,
        action,
        refusal,
        matched,
        miss,
        stopsIfMissed,
        answer,
        start,
        null);
  }

  Request withNotRecorded(IllegalArgumentException reason) {
    return new Request(
        number,
        lane,
        call,
        id,
        action,
        refusal,
        matched,
        miss,
        stopsIfMissed,
        answer,
        start,
        reason);
  }

  @Nullable
  MatchRung rung() {
    return matched == null ? null : matched.rung();
  }

  @Nullable
  Long line() {
    return matched == null ? null : matched.exchange().line();
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
