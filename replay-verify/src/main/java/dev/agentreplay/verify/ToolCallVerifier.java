package dev.agentreplay.verify;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.check.CallPairing;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.input.AnsweredCall;
import dev.agentreplay.verify.input.Fingerprints;
import java.util.function.Consumer;

/**
 * Pairs tool calls with their results: each result answers an earlier call, each call is answered,
 * ids are unique, no attempt to cause an effect is repeated, and parameters and outputs match their
 * hashes.
 */
final class ToolCallVerifier {

  private final Tally tally;
  private final ContentVerifier contents;
  private final Consumer<AnsweredCall> answered;
  private final CallPairing<AnsweredCall.Called> pairing = new CallPairing<>();
  private final Fingerprints callIds = new Fingerprints();
  private final Fingerprints attempts = new Fingerprints();
  private boolean damaged;

  /**
   * Creates a verifier of the calls of one log.
   *
   * @param answered the receiver of each answered call, in the order of the results
   */
  ToolCallVerifier(Tally tally, ContentVerifier contents, Consumer<AnsweredCall> answered) {
    this.tally = tally;
    this.contents = contents;
    this.answered = answered;
  }

  /** Records that a line could not be read: calls and results after it can no longer be paired. */
  void damaged() {
    damaged = true;
  }

  void call(ToolCall call, ReplayLine line) {
    Position at = line.position();
    tally.count(Counter.TOOL_CALLS);
    if (callIds.add(call.id())) {
      tally.report(
          FindingCode.DUPLICATE_CALL_ID,
          at,
          call.id(),
          () -> "an earlier call has the id \"" + Excerpt.of(call.id()) + "\"");
    }
    attempt(call, at);
    ContentHash hash = call.params().hash();
    HashCheck check = contents.check(FindingCode.PARAMS_HASH_MISMATCH, line);
    tally.count(check.of(
        Counter.PARAMS_HASHES_VERIFIED,
        Counter.PARAMS_HASHES_MISMATCHED,
        Counter.PARAMS_HASHES_UNVERIFIABLE,
        Counter.PARAMS_HASHES_MISSING));
    AnsweredCall.Called called = new AnsweredCall.Called(
        call.id(), call.tool(), hash == null ? check.computed() : hash, check.isSound(), at);
    AnsweredCall.Called givenUp = pairing.call(call.id(), call.meta().agent(), called);
    if (givenUp != null) {
      unanswered(givenUp);
    }
  }

  /** Checks that no earlier call, in any lane, is the same attempt to cause the same effect. */
  private void attempt(ToolCall call, Position at) {
    String effectId = call.attempt().effectId();
    if (effectId == null || effectId.isBlank()) {
      return; // a blank one does not identify an effect
    }
    Long number = call.attempt().number();
    long attempt = number == null ? 1 : number;
    if (attempts.add(attempt + " " + effectId)) {
      tally.report(
          FindingCode.ATTEMPT_REPEATED,
          at,
          call.id(),
          () -> "an earlier call is attempt %d to cause the effect \"%s\""
              .formatted(attempt, Excerpt.of(effectId)));
    }
  }

  void result(ToolResult result, ReplayLine line) {
    Position at = line.position();
    tally.count(Counter.TOOL_RESULTS);
    ContentHash hash = result.output().hash();
    HashCheck check = contents.check(FindingCode.OUTPUT_HASH_MISMATCH, line);
    tally.count(check.of(
        Counter.OUTPUT_HASHES_VERIFIED,
        Counter.OUTPUT_HASHES_MISMATCHED,
        Counter.OUTPUT_HASHES_UNVERIFIABLE,
        Counter.OUTPUT_HASHES_MISSING));
    AnsweredCall.Called call = pairing.result(result.id(), result.meta().agent());
    if (damaged) {
      return;
    }
    if (call == null) {
      tally.report(
          FindingCode.RESULT_WITHOUT_CALL,
          at,
          result.id(),
          () -> "no earlier unanswered call has the id \"" + Excerpt.of(result.id()) + "\"");
    } else {
      tally.count(Counter.ANSWERED_CALLS);
      answered.accept(AnsweredCall.of(
          call, result, hash == null ? check.computed() : hash, check.isSound(), line));
    }
  }

  /** Reports the unanswered calls at the end of the log. */
  void finish() {
    pairing.open().forEach(this::unanswered);
  }

  private void unanswered(AnsweredCall.Called call) {
    tally.count(Counter.UNANSWERED_CALLS);
    tally.report(
        FindingCode.CALL_WITHOUT_RESULT,
        call.at(),
        call.id(),
        () -> "call \"%s\" of %s is never answered".formatted(Excerpt.of(call.id()), call.tool()));
  }
}
