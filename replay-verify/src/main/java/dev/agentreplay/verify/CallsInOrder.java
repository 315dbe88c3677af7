package dev.agentreplay.verify;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.alignment.Alignment;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.input.AnsweredCall;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Matches entries without ids: in order when there are as many entries as answered calls; otherwise
 * by equal tool, parameters and output.
 */
final class CallsInOrder implements CallMatcher {

  private static final int NOT_IN_RECEIPT = -1;

  /** The members that identify an entry. */
  private record Content(
      @Nullable String tool, @Nullable ContentHash params, @Nullable ContentHash output) {

    static Content of(Receipt.Call entry) {
      String tool = entry.tool();
      return new Content(
          tool == null ? null : AnsweredCall.bounded(tool), entry.paramsHash(), entry.outputHash());
    }
  }

  private final List<Receipt.Call> entries;
  private final CallComparison comparison;
  private final Tally tally;
  private final Map<Content, Integer> numbers = new HashMap<>();
  private final LongList answered = new LongList();
  private final LongList lines = new LongList();
  private final LongList offsets = new LongList();
  private final List<List<Finding>> inOrder = new ArrayList<>();

  /** The answered calls whose values do not contradict their hashes. */
  private final BitSet sound = new BitSet();

  CallsInOrder(List<Receipt.Call> entries, CallComparison comparison, Tally tally) {
    this.entries = entries;
    this.comparison = comparison;
    this.tally = tally;
    tally.add(Counter.RECEIPT_CALLS, entries.size());
    for (Receipt.Call entry : entries) {
      numbers.putIfAbsent(Content.of(entry), numbers.size());
    }
  }

  @Override
  public void accept(AnsweredCall call) {
    int index = answered.size();
    answered.add(numbers.getOrDefault(Content.of(call.entry()), NOT_IN_RECEIPT));
    lines.add(call.resultAt().line());
    offsets.add(call.resultAt().offset());
    if (call.isSound()) {
      sound.set(index);
    }
    if (index < entries.size()) {
      inOrder.add(comparison.compare(call, entries.get(index)));
    }
  }

  @Override
  public void finish() {
    if (answered.size() != entries.size()) {
      align();
      return;
    }
    for (int i = 0; i < inOrder.size(); i++) {
      List<Finding> findings = inOrder.get(i);
      findings.forEach(tally::report);
      count(findings.isEmpty() && sound.get(i));
    }
  }

  private void align() {
    long[] stated = entries.stream().mapToLong(e -> numbers.get(Content.of(e))).toArray();
    int[] aligned = Alignment.of(stated, answered.toArray());
    boolean[] expected = new boolean[answered.size()];
    for (int i = 0; i < aligned.length; i++) {
      if (aligned[i] >= 0) {
        expected[aligned[i]] = true;
        count(sound.get(aligned[i]));
      } else {
        missing(i);
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

  private void count(boolean isMatched) {
    tally.count(isMatched ? Counter.RECEIPT_CALLS_MATCHED : Counter.RECEIPT_CALLS_MISMATCHED);
  }

  private void missing(int index) {
    String tool = entries.get(index).tool();
    tally.count(Counter.RECEIPT_CALLS_MISSING);
    tally.report(FindingCode.RECEIPT_CALL_MISSING, () -> Finding.of(
            FindingCode.RECEIPT_CALL_MISSING,
            "entry %d of the receipt, a call of %s, is not in the log"
                .formatted(index, Excerpt.of(String.valueOf(tool))))
        .withValues(tool, null));
  }

  /** A growable list of primitive numbers. */
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
