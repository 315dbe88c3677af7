package dev.agentreplay.verify;

import dev.agentreplay.canonical.internal.LogCanonicalization;
import dev.agentreplay.io.ReplayLine;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Finding;
import dev.agentreplay.model.FindingCode;
import dev.agentreplay.model.PlanStart;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.internal.Excerpt;
import dev.agentreplay.model.internal.RunTotals;
import dev.agentreplay.model.receipt.ReceiptCall;
import dev.agentreplay.model.receipt.SessionReceipt;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Holds a log against the receipt of specification 000. The k-th answered call with an id belongs
 * to the k-th entry with that id.
 */
final class SessionReceiptMatcher implements ReceiptMatcher {

  private record Entry(int index, ReceiptCall call) {}

  private final SessionReceipt receipt;
  private final Tally tally;
  private final LogCanonicalization canonicalization;
  private final FieldComparison fields;
  private final Map<String, Deque<Entry>> entries = new HashMap<>();
  private final List<Entry> withoutId = new ArrayList<>();
  private final CommandComparison commands;
  private final RunTotals totals = new RunTotals();
  private int lastIndex = -1;
  private boolean startSeen;
  private boolean planSeen;
  private boolean verificationSeen;
  private @Nullable Long delta;

  SessionReceiptMatcher(SessionReceipt receipt, Tally tally, LogCanonicalization canonicalization) {
    this.receipt = receipt;
    this.tally = tally;
    this.canonicalization = canonicalization;
    this.fields = new FieldComparison(tally);
    this.commands = new CommandComparison(
        receipt.commands().stream()
            .map(run -> CommandComparison.describe(run.command(), run.exitCode()))
            .toList(),
        fields);
    tally.add(Counter.RECEIPT_CALLS, receipt.toolCalls().size());
    for (int i = 0; i < receipt.toolCalls().size(); i++) {
      ReceiptCall call = receipt.toolCalls().get(i);
      Collection<Entry> sameId = call.id() == null
          ? withoutId
          : entries.computeIfAbsent(call.id(), id -> new ArrayDeque<>(1));
      sameId.add(new Entry(i, call));
    }
  }

  @Override
  public void accept(ReplayLine line) {
    ReplayEvent event = line.event();
    totals.add(event);
    fields.sameSession(event, receipt, line.position());
    if (event instanceof SessionStart start) {
      startSeen = true;
      if (line.json().has("issue_number")
          && receipt.issueNumber() != null
          && !receipt.issueNumber().equals(start.issueNumber())) {
        fields.differ("issue_number", start.issueNumber(), receipt.issueNumber(), line.position());
      }
    } else if (event instanceof PlanStart plan) {
      planSeen = true;
      fields.same("plan_hash", plan.planHash(), receipt.planHash(), line.position());
    } else if (event instanceof Verification verification) {
      verificationSeen = true;
      commands.accept(verification, line.position());
      delta = verification.delta();
    } else if (event instanceof SessionEnd end) {
      fields.sameNumber("confidence", end.confidence(), receipt.finalConfidence(), line.position());
    }
  }

  @Override
  public void accept(AnsweredCall call) {
    Deque<Entry> sameId = entries.get(call.result().id());
    if (sameId == null || sameId.isEmpty()) {
      tally.count(Counter.RECEIPT_CALLS_UNEXPECTED);
      tally.report(
          FindingCode.RECEIPT_CALL_UNEXPECTED,
          call.resultAt(),
          "call \"%s\" of %s is not in the receipt"
              .formatted(call.call().id(), Excerpt.of(call.call().tool())));
      return;
    }
    Entry entry = sameId.remove();
    List<Finding> findings = CallComparison.compare(call, entry.call(), canonicalization.get());
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
        findings.isEmpty() && call.isSound()
            ? Counter.RECEIPT_CALLS_MATCHED
            : Counter.RECEIPT_CALLS_MISMATCHED);
  }

  @Override
  public void finish(ContentHash replayHash) {
    List<Entry> missing = Stream.concat(
            withoutId.stream(), entries.values().stream().flatMap(Deque::stream))
        .sorted(Comparator.comparingInt(Entry::index))
        .toList();
    for (Entry entry : missing) {
      tally.count(Counter.RECEIPT_CALLS_MISSING);
      tally.report(
          FindingCode.RECEIPT_CALL_MISSING,
          null,
          "entry %d of the receipt, call \"%s\" of %s, is not in the log"
              .formatted(
                  entry.index(),
                  Excerpt.of(String.valueOf(entry.call().id())),
                  Excerpt.of(String.valueOf(entry.call().tool()))));
    }
    commands.finish();
    fields.sessionOnlyInReceipt(receipt);
    fields.sameUnrecorded(totals, receipt);
    if (!startSeen) {
      fields.onlyInReceipt("issue_number", receipt.issueNumber());
    }
    if (!planSeen) {
      fields.onlyInReceipt("plan_hash", receipt.planHash());
    }
    Long inLog = verificationSeen ? delta : Long.valueOf(0);
    fields.same("verification_delta", inLog, receipt.verificationDelta(), null);
    ContentHash statedHash = receipt.replayHash();
    if (statedHash != null && statedHash.equals(replayHash)) {
      tally.count(Counter.LOG_DIGESTS_VERIFIED);
    } else if (statedHash != null) {
      tally.report(
          FindingCode.REPLAY_HASH_MISMATCH,
          null,
          "replay_hash in the receipt is %s, but the log has %s".formatted(statedHash, replayHash));
    }
  }
}
