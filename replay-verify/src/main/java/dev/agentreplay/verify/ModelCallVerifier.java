package dev.agentreplay.verify;

import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.check.CallPairing;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.input.AnsweredCall;
import dev.agentreplay.verify.input.Fingerprints;

/**
 * Pairs model calls with their results, like {@link ToolCallVerifier}: each result answers an
 * earlier call, each call is answered, and ids are unique. Ids of model calls and tool calls are
 * independent.
 */
final class ModelCallVerifier {

  /** A call that waits for its result; its id is bounded. */
  private record Asked(String id, Position at) {}

  private final Tally tally;
  private final CallPairing<Asked> pairing = new CallPairing<>();
  private final Fingerprints ids = new Fingerprints();
  private boolean damaged;

  ModelCallVerifier(Tally tally) {
    this.tally = tally;
  }

  /** Records that a line could not be read: calls and results after it can no longer be paired. */
  void damaged() {
    damaged = true;
  }

  void accept(ReplayEvent event, Position at) {
    if (event instanceof ModelCall call) {
      call(call, at);
    } else if (event instanceof ModelResult result) {
      result(result, at);
    }
  }

  private void call(ModelCall call, Position at) {
    tally.count(Counter.MODEL_CALLS);
    if (ids.add(call.id())) {
      tally.report(
          FindingCode.DUPLICATE_CALL_ID,
          at,
          call.id(),
          () -> "an earlier call of a model has the id \"" + Excerpt.of(call.id()) + "\"");
    }
    Asked givenUp = pairing.call(
        call.id(), call.meta().agent(), new Asked(AnsweredCall.bounded(call.id()), at));
    if (givenUp != null) {
      unanswered(givenUp);
    }
  }

  private void result(ModelResult result, Position at) {
    tally.count(Counter.MODEL_RESULTS);
    Asked asked = pairing.result(result.id(), result.meta().agent());
    if (damaged) {
      return;
    }
    if (asked == null) {
      tally.report(
          FindingCode.MODEL_RESULT_WITHOUT_CALL,
          at,
          result.id(),
          () -> "no earlier unanswered call of a model has the id \""
              + Excerpt.of(result.id())
              + "\"");
    } else {
      tally.count(Counter.ANSWERED_MODEL_CALLS);
    }
  }

  /** Reports the unanswered calls at the end of the log. */
  void finish() {
    pairing.open().forEach(this::unanswered);
  }

  private void unanswered(Asked call) {
    tally.count(Counter.UNANSWERED_MODEL_CALLS);
    tally.report(
        FindingCode.MODEL_CALL_WITHOUT_RESULT,
        call.at(),
        call.id(),
        () -> "call \"%s\" of a model is never answered".formatted(Excerpt.of(call.id())));
  }
}
