package dev.agentreplay.verify;

import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.io.ReplayLine;
import dev.agentreplay.io.TrajectoryHash;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Finding;
import dev.agentreplay.model.FindingCode;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.Position;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.internal.Alignment;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.receipt.ReceiptCall;
import dev.agentreplay.model.receipt.TrajectoryReceipt;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Holds a log against the receipt {@code openagents.receipt.v1}. Its entries have no ids: they
 * match in order when there are as many as answered calls; else those match that are equal in tool,
 * parameters and output.
 */
final class TrajectoryReceiptMatcher implements ReceiptMatcher {

  private final JsonObject source;
  private final TrajectoryReceipt receipt;
  private final Tally tally;
  private final FieldComparison fields;
  private final TrajectoryHash trajectory = new TrajectoryHash();
  private final LongList fingerprints = new LongList();
  private final LongList lines = new LongList();
  private final LongList offsets = new LongList();
  private final List<List<Finding>> inOrder = new ArrayList<>();

  TrajectoryReceiptMatcher(JsonObject source, TrajectoryReceipt receipt, Tally tally) {
    this.source = source;
    this.receipt = receipt;
    this.tally = tally;
    this.fields = new FieldComparison(tally);
    tally.add(Counter.RECEIPT_CALLS, receipt.toolCalls().size());
  }

  @Override
  public void accept(ReplayLine line) {
    trajectory.add(line.event(), line.json());
    if (line.event() instanceof SessionStart start) {
      PolicyId policy = start.policy();
      fields.same("session_id", start.meta().sessionId(), receipt.sessionId(), line.position());
      fields.same(
          "policy", policy == null ? null : policy.id(), receipt.policyBundleId(), line.position());
    }
  }

  @Override
  public void accept(AnsweredCall call) {
    int index = fingerprints.size();
    fingerprints.add(
        AnsweredCall.fingerprint(call.call().tool(), call.call().paramsHash(), call.outputHash()));
    lines.add(call.resultAt().line());
    offsets.add(call.resultAt().offset());
    if (index < receipt.toolCalls().size()) {
      inOrder.add(CallComparison.compare(call, receipt.toolCalls().get(index)));
    }
  }

  @Override
  public void finish(ContentHash replayHash) {
    if (fingerprints.size() == receipt.toolCalls().size()) {
      for (List<Finding> findings : inOrder) {
        findings.forEach(tally::report);
        tally.count(
            findings.isEmpty() ? Counter.RECEIPT_CALLS_MATCHED : Counter.RECEIPT_CALLS_MISMATCHED);
      }
    } else {
      align();
    }
    trajectoryHash();
    ContentHash digest = ReceiptCodec.digest(source);
    if (digest.equals(receipt.digest())) {
      tally.count(Counter.RECEIPT_DIGESTS_VERIFIED);
    } else if (receipt.digest() != null) {
      tally.report(
          FindingCode.RECEIPT_DIGEST_MISMATCH,
          null,
          "canonical_json_sha256 is %s, but the receipt has %s"
              .formatted(receipt.digest().hex(), digest.hex()));
    }
  }

  private void align() {
    List<ReceiptCall> entries = receipt.toolCalls();
    long[] stated = entries.stream()
        .mapToLong(e -> AnsweredCall.fingerprint(e.tool(), e.paramsHash(), e.outputHash()))
        .toArray();
    int[] aligned = Alignment.of(stated, fingerprints.toArray());
    boolean[] expected = new boolean[fingerprints.size()];
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
                .formatted(i, entries.get(i).tool()));
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

  /** A run may have had events that are not in the log: then its hash says nothing here. */
  private void trajectoryHash() {
    ContentHash stated = receipt.trajectoryHash();
    if (stated == null) {
      return;
    }
    long events = trajectory.events();
    ContentHash computed = trajectory.finish();
    if (stated.equals(computed)) {
      tally.count(Counter.RECEIPT_DIGESTS_VERIFIED);
    } else if (receipt.eventCount() == null || receipt.eventCount() == events) {
      fields.differ("trajectory_hash", computed, stated, null);
    } else {
      tally.report(
          FindingCode.HASH_UNVERIFIABLE,
          null,
          "trajectory_hash is over %d events, but the log holds %d"
              .formatted(receipt.eventCount(), events));
    }
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
