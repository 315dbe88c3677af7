package dev.agentreplay.verify;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.canonical.internal.Hashes;
import dev.agentreplay.canonical.internal.LogCanonicalization;
import dev.agentreplay.io.ReplayLine;
import dev.agentreplay.io.TrajectoryHash;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Finding;
import dev.agentreplay.model.FindingCode;
import dev.agentreplay.model.Position;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.internal.Alignment;
import dev.agentreplay.model.internal.Excerpt;
import dev.agentreplay.model.internal.RunTotals;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.receipt.ReceiptCall;
import dev.agentreplay.model.receipt.TrajectoryReceipt;
import dev.agentreplay.model.receipt.TrajectoryReceipt.Metrics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Holds a log against the receipt {@code openagents.receipt.v1}. Its entries have no ids: they
 * match in order when there are as many as answered calls; else those match that are equal in tool,
 * parameters and output.
 */
final class TrajectoryReceiptMatcher implements ReceiptMatcher {

  private static final int NOT_IN_RECEIPT = -1;

  /** What must be equal for an entry to be a call's. */
  private record Content(
      @Nullable String tool, @Nullable ContentHash params, @Nullable ContentHash output) {

    static Content of(ReceiptCall entry) {
      String tool = entry.tool();
      return new Content(
          tool == null ? null : AnsweredCall.bounded(tool), entry.paramsHash(), entry.outputHash());
    }

    static Content of(AnsweredCall call) {
      return new Content(call.call().tool(), call.call().paramsHash(), call.outputHash());
    }
  }

  private final JsonObject source;
  private final TrajectoryReceipt receipt;
  private final Tally tally;
  private final FieldComparison fields;
  private final TrajectoryHash trajectory = new TrajectoryHash();
  private final LogCanonicalization canonicalization;
  private final HashHints hints;
  private final List<ReceiptCall> entries;
  private final Map<Content, Integer> numbers = new HashMap<>();
  private final LongList answered = new LongList();
  private final LongList lines = new LongList();
  private final LongList offsets = new LongList();
  private final List<List<Finding>> inOrder = new ArrayList<>();
  private final CommandComparison commands;
  private long calls;
  private final RunTotals totals = new RunTotals();

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
    this.fields = new FieldComparison(tally);
    List<ReceiptCall> stated = receipt.toolCalls();
    this.entries = stated == null ? List.of() : stated;
    this.commands = new CommandComparison(commands(receipt.verifications()), fields);
    tally.add(Counter.RECEIPT_CALLS, entries.size());
    for (ReceiptCall entry : entries) {
      numbers.putIfAbsent(Content.of(entry), numbers.size());
    }
  }

  @Override
  public void accept(ReplayLine line) {
    trajectory.add(line.event(), line.json());
    ReplayEvent event = line.event();
    totals.add(event);
    fields.sameSession(event, receipt, line.position());
    if (event instanceof ToolCall) {
      calls++;
    } else if (event instanceof Verification verification) {
      commands.accept(verification, line.position());
    }
  }

  @Override
  public void accept(AnsweredCall call) {
    totals.addAnswer(call.result());
    if (receipt.toolCalls() == null) {
      return; // it lists no calls at all, and so says nothing about them
    }
    int index = answered.size();
    answered.add(numbers.getOrDefault(Content.of(call), NOT_IN_RECEIPT));
    lines.add(call.resultAt().line());
    offsets.add(call.resultAt().offset());
    if (index < entries.size()) {
      inOrder.add(CallComparison.compare(call, entries.get(index), canonicalization.get()));
    }
  }

  @Override
  public void finish(ContentHash replayHash) {
    if (answered.size() == entries.size()) {
      for (List<Finding> findings : inOrder) {
        findings.forEach(tally::report);
        tally.count(
            findings.isEmpty() ? Counter.RECEIPT_CALLS_MATCHED : Counter.RECEIPT_CALLS_MISMATCHED);
      }
    } else {
      align();
    }
    commands.finish();
    fields.sessionOnlyInReceipt(receipt);
    fields.sameUnrecorded(totals, receipt);
    metrics();
    trajectoryHash();
    receiptDigest();
  }

  private void receiptDigest() {
    ContentHash stated = receipt.digest();
    CanonicalJson canonical = canonicalization.get();
    if (stated == null || canonical == null) {
      return;
    }
    JsonObject digested = ReceiptCodec.digested(source);
    ContentHash digest = Hashes.of(digested, canonical);
    if (stated.equals(digest)) {
      tally.count(Counter.RECEIPT_DIGESTS_VERIFIED);
      return;
    }
    tally.report(
        Finding.of(
            FindingCode.RECEIPT_DIGEST_MISMATCH,
            "canonical_json_sha256 is %s, but the receipt has %s"
                .formatted(stated.hex(), digest == null ? "none" : digest.hex())),
        () -> hints.explain(digested, stated, digested.toString().length()));
  }

  private void align() {
    long[] stated = entries.stream().mapToLong(e -> numbers.get(Content.of(e))).toArray();
    int[] aligned = Alignment.of(stated, answered.toArray());
    boolean[] expected = new boolean[answered.size()];
    for (int i = 0; i < aligned.length; i++) {
      if (aligned[i] >= 0) {
        expected[aligned[i]] = true;
        tally.count(Counter.RECEIPT_CALLS_MATCHED);
      } else {
        tally.count(Counter.RECEIPT_CALLS_MISSING);
        tally.report(
            FindingCode.RECEIPT_CALL_MISSING,
            null,
            "entry %d of the receipt, a call of %s, is not in the log"
                .formatted(i, Excerpt.of(String.valueOf(entries.get(i).tool()))));
      }
    }
    for (int i = 0; i < expected.length; i++) {
      if (!expected[i]) {
        tally.count(Counter.RECEIPT_CALLS_UNEXPECTED);
        tally.report(
            FindingCode.RECEIPT_CALL_UNEXPECTED,
            new Position(lines.get(i), offsets.get(i)),
            "answered call %d of the log is not in the receipt".formatted(i));
      }
    }
  }

  /** Some producers count all calls, some those that were answered. */
  private void metrics() {
    Metrics stated = receipt.metrics();
    if (stated == null) {
      return;
    }
    Metrics made = totals.toMetrics();
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
   * A run may have had more events than are in the log: then its hash says nothing here. It cannot
   * have had fewer.
   */
  private void trajectoryHash() {
    Long stated = receipt.eventCount();
    long events = trajectory.events();
    Long first = receipt.firstSeq();
    Long last = receipt.lastSeq();
    if (stated != null && first != null && last != null && last - first + 1 != stated) {
      tally.report(
          FindingCode.RECEIPT_FIELD_MISMATCH,
          null,
          "receipt: event_count is %d, but first_seq %d and last_seq %d"
              .formatted(stated, first, last));
    }
    ContentHash computed = trajectory.toHash();
    if (computed.equals(receipt.trajectoryHash())) {
      tally.count(Counter.LOG_DIGESTS_VERIFIED);
      fields.same("event_count", events, stated, null);
    } else if (stated != null && stated > events) {
      tally.report(
          FindingCode.HASH_UNVERIFIABLE,
          null,
          "trajectory_hash is over %d events, but the log holds %d".formatted(stated, events));
    } else {
      fields.same("event_count", events, stated, null);
      fields.same("trajectory_hash", computed, receipt.trajectoryHash(), null);
    }
  }

  private static @Nullable List<String> commands(@Nullable JsonArray verifications) {
    if (verifications == null) {
      return null;
    }
    return verifications.stream()
        .map(run ->
            run instanceof JsonObject object && object.get("command") instanceof JsonString command
                ? CommandComparison.describe(command.value(), object.get("exit_code"))
                : run.toString())
        .toList();
  }

  /** Numbers, without an object for each. */
  private static final class LongList {
    private long[] values = new long[16];
    private int size;

    void add(long value) {
      if (size == values.length) {
        values = Arrays.copyOf(values, size * 2);
      }
      values[size++] = value;
    }

    long get(int index) {
      return values[index];
    }

    int size() {
      return size;
    }

    long[] toArray() {
      return Arrays.copyOf(values, size);
    }
  }
}
