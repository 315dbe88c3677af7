package dev.agentreplay.verify;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.TrajectoryHash;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.receipt.ReceiptEntries;
import dev.agentreplay.model.receipt.TrajectoryReceipt;
import dev.agentreplay.model.receipt.TrajectoryReceipt.Metrics;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.input.AnsweredCall;
import dev.agentreplay.verify.input.HashHints;
import dev.agentreplay.verify.input.RuntimeTrajectory;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares a log with a receipt of the form {@code openagents.receipt.v1}. */
final class TrajectoryReceiptMatcher implements ReceiptMatcher {

  private final JsonObject source;
  private final TrajectoryReceipt receipt;
  private final Tally tally;
  private final FieldComparison fields;
  private final TrajectoryHash trajectory;
  private final RuntimeTrajectory runtime;
  private final LogCanonicalization canonicalization;
  private final HashHints hints;
  private final CallComparison comparison;

  /** Null when the receipt does not list calls, and so states nothing about them. */
  private final @Nullable CallMatcher callMatcher;

  private final EntryComparison commands;
  private final EntryComparison payments;
  private long calls;

  TrajectoryReceiptMatcher(
      JsonObject source,
      TrajectoryReceipt receipt,
      Tally tally,
      LogCanonicalization canonicalization,
      HashHints hints) {
    this.source = source;
    this.receipt = receipt;
    this.tally = tally;
    this.canonicalization = canonicalization;
    this.hints = hints;
    this.trajectory = new TrajectoryHash(canonicalization.assumed());
    this.runtime = new RuntimeTrajectory(source, receipt, canonicalization);
    this.fields = new FieldComparison(receipt, tally);
    this.comparison = new CallComparison(canonicalization, hints);
    List<Receipt.Call> stated = receipt.toolCalls();
    this.callMatcher = stated == null ? null : new CallsInOrder(stated, comparison, tally);
    this.commands = new EntryComparison(
        "verification",
        EntryComparison.COMMAND,
        list(receipt.verifications()),
        fields,
        canonicalization);
    this.payments = new EntryComparison(
        "payments", Set.of(), list(receipt.payments()), fields, canonicalization);
  }

  @Override
  public void accept(ReplayLine line) {
    trajectory.add(line.event(), line.json());
    runtime.accept(line);
    fields.accept(line);
    comparison.accept(line);
    if (line.event() instanceof ToolCall) {
      calls++;
    } else if (line.event() instanceof Verification verification) {
      ReceiptEntries.commands(verification)
          .forEach(entry -> commands.accept(entry, line.position()));
    } else if (line.event() instanceof Payment payment) {
      payments.accept(ReceiptEntries.payment(payment), line.position());
    }
  }

  @Override
  public void accept(AnsweredCall call) {
    fields.facts().totals().addAnswer(call.result());
    if (callMatcher != null) {
      callMatcher.accept(call);
    }
  }

  @Override
  public void finish(ContentHash replayHash) {
    if (callMatcher != null) {
      callMatcher.finish();
    }
    commands.finish();
    payments.finish();
    fields.finish();
    repository();
    metrics();
    trajectoryHash();
    receiptDigest();
  }

  private void repository() {
    JsonObject inLog = fields.facts().repository().value();
    JsonObject stated = receipt.repo();
    if (inLog != null
        && stated != null
        && !FieldComparison.sameValue(inLog, stated, canonicalization.get())) {
      fields.differ("repo", inLog, stated, fields.facts().repository().at());
    }
  }

  private void receiptDigest() {
    ContentHash stated = receipt.digest();
    CanonicalJson canonical = canonicalization.get();
    if (stated == null || canonical == null) {
      return;
    }
    JsonObject digested = ReceiptCodec.digested(source);
    ContentHash digest = canonical.tryHash(digested);
    if (stated.equals(digest)) {
      tally.count(Counter.RECEIPT_DIGESTS_VERIFIED);
      return;
    }
    String found = digest == null ? null : digest.hex();
    tally.report(
        Finding.of(
                FindingCode.RECEIPT_DIGEST_MISMATCH,
                "canonical_json_sha256 is %s, but the receipt has %s"
                    .formatted(stated.hex(), found == null ? "none" : found))
            .withValues(stated.hex(), found),
        () -> hints.explain(digested, stated, digested.toString().length()));
  }

  /** Compares the metrics. Some producers count all calls, others only answered calls. */
  private void metrics() {
    Metrics stated = receipt.metrics();
    if (stated == null) {
      return;
    }
    Metrics made = fields.facts().totals().toMetrics();
    if (!Objects.equals(stated.toolCalls(), calls)) {
      fields.same("metrics.tool_calls", made.toolCalls(), stated.toolCalls(), null);
    }
    fields.same(
        "metrics.tool_latency_ms_total",
        made.toolLatencyMillis(),
        stated.toolLatencyMillis(),
        null);
    fields.same("metrics.payments_msats_total", made.paymentsMsats(), stated.paymentsMsats(), null);
    if (stated.verificationPassed() != null
        && !stated.verificationPassed().equals(made.verificationPassed())) {
      fields.differ(
          "metrics.verification_passed",
          made.verificationPassed(),
          stated.verificationPassed(),
          null);
    }
  }

  /**
   * Compares the hash of the run. The run may have had more events than the log has: the hash
   * cannot be checked then. It cannot have had fewer, unless only the events of the runtime are
   * counted.
   */
  private void trajectoryHash() {
    Long stated = receipt.eventCount();
    long events = trajectory.events();
    Long first = receipt.firstSeq();
    Long last = receipt.lastSeq();
    boolean isInStep =
        stated == null || first == null || last == null || last - first + 1 == stated;
    if (!isInStep) {
      tally.report(
          FindingCode.RECEIPT_FIELD_MISMATCH,
          null,
          "receipt: event_count is %d, but first_seq %d and last_seq %d"
              .formatted(stated, first, last));
    }
    ContentHash computed = trajectory.toHash();
    if (computed.equals(receipt.trajectoryHash())) { // it covers the numbers of the events
      tally.count(Counter.EVENT_DIGESTS_VERIFIED);
      fields.same(Names.EVENT_COUNT, events, stated, null);
      if (isInStep) {
        fields.same(Names.FIRST_SEQ, 1L, first, null);
        fields.same(Names.LAST_SEQ, events, last, null);
      }
    } else if (runtime.isMeant()) {
      runtimeHash();
    } else if (stated != null && stated > events) {
      tally.report(Finding.of(
              FindingCode.HASH_UNVERIFIABLE,
              "trajectory_hash covers %d events, but the log has %d".formatted(stated, events))
          .withValues(stated.toString(), Long.toString(events)));
    } else {
      fields.same(Names.EVENT_COUNT, events, stated, null);
      fields.same(Names.TRAJECTORY_HASH, computed, receipt.trajectoryHash(), null);
    }
  }

  private void runtimeHash() {
    ContentHash computed = runtime.toHash();
    ContentHash stated = receipt.trajectoryHash();
    if (computed != null && computed.equals(stated)) {
      tally.count(Counter.RUN_DIGESTS_VERIFIED);
    } else if (computed != null && !runtime.lacksKeys()) {
      fields.same(Names.TRAJECTORY_HASH, computed, stated, null);
    } else {
      String reason = computed == null
          ? "the log has only %d of them as they were hashed".formatted(runtime.runtimeEvents())
          : "the log does not hold their idempotency_key";
      tally.report(Finding.of(
              FindingCode.HASH_UNVERIFIABLE,
              "trajectory_hash covers the %d events of the runtime, but %s"
                  .formatted(runtime.events(), reason))
          .withValues(stated == null ? null : stated.toString(), null));
    }
  }

  private static @Nullable List<JsonValue> list(@Nullable JsonArray array) {
    return array == null ? null : array.stream().toList();
  }
}
