package dev.agentreplay.verify;

import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.TestCounts;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.receipt.DraftReceipt;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.receipt.ReceiptEntries;
import dev.agentreplay.model.receipt.SessionFacts;
import dev.agentreplay.model.receipt.SessionFacts.Fact;
import dev.agentreplay.model.receipt.SessionReceipt;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.input.AnsweredCall;
import dev.agentreplay.verify.input.HashHints;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares a log with a receipt of specification 000 or 002, whose calls have ids. */
final class SessionReceiptMatcher implements ReceiptMatcher {

  private final Receipt receipt;
  private final Tally tally;
  private final FieldComparison fields;
  private final SessionFacts facts;
  private final CallComparison comparison;
  private final CallMatcher calls;
  private final EntryComparison commands;
  private boolean statesIssue;

  /**
   * Creates a matcher of a receipt.
   *
   * @param receipt a {@link SessionReceipt} or a {@link DraftReceipt}
   */
  SessionReceiptMatcher(
      Receipt receipt, Tally tally, LogCanonicalization canonicalization, HashHints hints) {
    this.receipt = receipt;
    this.tally = tally;
    this.fields = new FieldComparison(receipt, tally);
    this.facts = fields.facts();
    this.comparison = new CallComparison(canonicalization, hints);
    List<Receipt.Call> stated = receipt.toolCalls();
    this.calls = new CallsById(stated == null ? List.of() : stated, comparison, fields, tally);
    this.commands = new EntryComparison(
        "verification", EntryComparison.COMMAND, commands(receipt), fields, canonicalization);
  }

  @Override
  public void accept(ReplayLine line) {
    fields.accept(line);
    comparison.accept(line);
    if (line.event() instanceof SessionStart) {
      statesIssue = line.json().has(Names.ISSUE_NUMBER);
    } else if (line.event() instanceof Verification verification) {
      ReceiptEntries.commands(verification)
          .forEach(entry -> commands.accept(entry, line.position()));
    }
  }

  @Override
  public void accept(AnsweredCall call) {
    calls.accept(call);
  }

  @Override
  public void finish(ContentHash replayHash) {
    calls.finish();
    commands.finish();
    fields.finish();
    if (receipt instanceof SessionReceipt session) {
      finish(session);
      replayHash(session.replayHash(), replayHash);
    } else if (receipt instanceof DraftReceipt draft) {
      finish(draft);
      replayHash(draft.replayHash(), replayHash);
    }
  }

  private void finish(SessionReceipt session) {
    Fact<Long> issue = facts.issueNumber();
    if (statesIssue && issue.value() == null && session.issueNumber() != null) {
      fields.differ(Names.ISSUE_NUMBER, null, session.issueNumber(), issue.at());
    } else {
      fields.same(Names.ISSUE_NUMBER, issue, session.issueNumber());
    }
    fields.same(Names.PLAN_HASH, facts.planHash(), session.planHash());
    fields.sameNumber("confidence", facts.confidence(), session.finalConfidence());
    fields.sameDelta(session.verificationDelta());
  }

  private void finish(DraftReceipt draft) {
    DraftReceipt.Checks checks = draft.verification();
    if (checks != null) {
      Fact<TestCounts> tests = facts.tests();
      TestCounts counted = tests.value();
      fields.same(
          Names.TESTS_BEFORE,
          counted == null ? Long.valueOf(0) : counted.before(),
          checks.testsBefore(),
          tests.at());
      fields.same(
          Names.TESTS_AFTER,
          counted == null ? Long.valueOf(0) : counted.after(),
          checks.testsAfter(),
          tests.at());
      fields.same(Names.CI_STATUS, facts.ciStatus(), checks.ciStatus());
      fields.sameDelta(checks.verificationDelta());
    }
    fields.sameNumber(
        "costs.total_tokens", facts.totals().tokens(), draft.costs().get(Names.TOTAL_TOKENS));
    fields.sameNumber(
        "costs.total_sats", facts.totals().sats(), draft.costs().get(Names.TOTAL_SATS));
  }

  private void replayHash(@Nullable ContentHash stated, ContentHash found) {
    if (stated == null) {
      return;
    }
    if (stated.equals(found)) {
      tally.count(Counter.LOG_DIGESTS_VERIFIED);
      return;
    }
    tally.report(Finding.of(
            FindingCode.REPLAY_HASH_MISMATCH,
            "replay_hash in the receipt is %s, but the log has %s".formatted(stated, found))
        .withValues(stated.toString(), found.toString()));
  }

  private static @Nullable List<JsonObject> commands(Receipt receipt) {
    return receipt instanceof SessionReceipt session
        ? session.commands().stream()
            .map(run -> JsonObject.of("command", run.command(), Names.EXIT_CODE, run.exitCode()))
            .toList()
        : null;
  }
}
