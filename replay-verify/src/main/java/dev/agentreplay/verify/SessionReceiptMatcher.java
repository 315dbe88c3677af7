package dev.agentreplay.verify;

import dev.agentreplay.io.ReplayLine;
import dev.agentreplay.model.CommandRun;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Finding;
import dev.agentreplay.model.FindingCode;
import dev.agentreplay.model.PlanStart;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.receipt.ReceiptCall;
import dev.agentreplay.model.receipt.SessionReceipt;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds a log against the receipt of specification 000. The k-th answered call with an id belongs
 * to the k-th entry with that id.
 */
final class SessionReceiptMatcher implements ReceiptMatcher {

  private record Entry(int index, ReceiptCall call) {}

  private final SessionReceipt receipt;
  private final Tally tally;
  private final FieldComparison fields;
  private final Map<String, Deque<Entry>> entries = new HashMap<>();
  private final List<String> commands = new ArrayList<>();
  private int lastIndex = -1;
  private @Nullable Long delta;

  SessionReceiptMatcher(SessionReceipt receipt, Tally tally) {
    this.receipt = receipt;
    this.tally = tally;
    this.fields = new FieldComparison(tally);
    tally.add(Counter.RECEIPT_CALLS, receipt.toolCalls().size());
    for (int i = 0; i < receipt.toolCalls().size(); i++) {
      ReceiptCall call = receipt.toolCalls().get(i);
      entries
          .computeIfAbsent(String.valueOf(call.id()), id -> new ArrayDeque<>(1))
          .add(new Entry(i, call));
    }
  }

  @Override
  public void accept(ReplayLine line) {
    ReplayEvent event = line.event();
    if (event instanceof SessionStart start) {
      PolicyId policy = start.policy();
      fields.same("session_id", start.meta().sessionId(), receipt.sessionId(), line.position());
      fields.same("issue_number", start.issueNumber(), receipt.issueNumber(), line.position());
      fields.same(
          "policy", policy == null ? null : policy.id(), receipt.policyBundleId(), line.position());
      fields.sameMoment("started_at", start.time(), receipt.startedAt(), line.position());
    } else if (event instanceof PlanStart plan) {
      fields.same("plan_hash", plan.planHash(), receipt.planHash(), line.position());
    } else if (event instanceof Verification verification) {
      verification.commands().forEach(run -> commands.add(describe(run)));
      delta = verification.delta();
    } else if (event instanceof SessionEnd end) {
      fields.sameMoment("completed_at", end.time(), receipt.completedAt(), line.position());
      fields.sameNumber("confidence", end.confidence(), receipt.finalConfidence(), line.position());
    }
  }

  @Override
  public void accept(AnsweredCall call) {
    Deque<Entry> sameId = entries.get(call.call().id());
    if (sameId == null || sameId.isEmpty()) {
      tally.count(Counter.RECEIPT_CALLS_UNEXPECTED);
      tally.report(
          FindingCode.RECEIPT_CALL_UNEXPECTED,
          call.resultAt(),
          "call \"%s\" of %s is not in the receipt"
              .formatted(call.call().id(), call.call().tool()));
      return;
    }
    Entry entry = sameId.remove();
    List<Finding> findings = CallComparison.compare(call, entry.call());
    findings.forEach(tally::report);
    if (entry.index() < lastIndex) {
      fields.differ(
          "order of calls",
          "call \"" + call.call().id() + "\" here",
          "entry " + entry.index(),
          call.resultAt());
    }
    lastIndex = Math.max(lastIndex, entry.index());
    tally.count(
        findings.isEmpty() ? Counter.RECEIPT_CALLS_MATCHED : Counter.RECEIPT_CALLS_MISMATCHED);
  }

  @Override
  public void finish(ContentHash replayHash) {
    for (Deque<Entry> left : entries.values()) {
      for (Entry entry : left) {
        tally.count(Counter.RECEIPT_CALLS_MISSING);
        tally.report(
            FindingCode.RECEIPT_CALL_MISSING,
            null,
            "entry %d of the receipt, call \"%s\" of %s, is not in the log"
                .formatted(entry.index(), entry.call().id(), entry.call().tool()));
      }
    }
    List<String> stated =
        receipt.commands().stream().map(SessionReceiptMatcher::describe).toList();
    if (!stated.equals(commands)) {
      fields.differ("verification", commands, stated, null);
    }
    fields.same("verification_delta", delta, receipt.verificationDelta(), null);
    ContentHash statedHash = receipt.replayHash();
    if (statedHash != null && statedHash.equals(replayHash)) {
      tally.count(Counter.RECEIPT_DIGESTS_VERIFIED);
    } else if (statedHash != null) {
      tally.report(
          FindingCode.REPLAY_HASH_MISMATCH,
          null,
          "replay_hash in the receipt is %s, but the log has %s".formatted(statedHash, replayHash));
    }
  }

  private static String describe(CommandRun run) {
    return run.command() + " -> " + run.exitCode();
  }
}
