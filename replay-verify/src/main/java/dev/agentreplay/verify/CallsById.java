package dev.agentreplay.verify;

import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.input.AnsweredCall;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Matches entries by id: the k-th answered call with an id belongs to the k-th entry with that id.
 */
final class CallsById implements CallMatcher {

  /**
   * An entry that no call has been matched to.
   *
   * @param next the next entry with the same id
   */
  private record Entry(int index, Receipt.Call call, @Nullable Entry next) {}

  /** The first of the entries with each id; those without an id, which no call has, are at null. */
  private final Map<@Nullable String, Entry> entries;

  private final CallComparison comparison;
  private final FieldComparison fields;
  private final Tally tally;
  private int lastIndex = -1;

  CallsById(
      List<Receipt.Call> stated, CallComparison comparison, FieldComparison fields, Tally tally) {
    this.comparison = comparison;
    this.fields = fields;
    this.tally = tally;
    tally.add(Counter.RECEIPT_CALLS, stated.size());
    entries = new HashMap<>(stated.size() * 4 / 3 + 1);
    for (int i = stated.size() - 1; i >= 0; i--) {
      Receipt.Call call = stated.get(i);
      entries.put(call.id(), new Entry(i, call, entries.get(call.id())));
    }
  }

  @Override
  public void accept(AnsweredCall call) {
    String id = call.result().id();
    Entry entry = entries.remove(id);
    if (entry == null) {
      unexpected(call);
      return;
    }
    if (entry.next() != null) {
      entries.put(id, entry.next());
    }
    List<Finding> findings = comparison.compare(call, entry.call());
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
  public void finish() {
    entries.values().stream()
        .flatMap(first -> Stream.iterate(first, Objects::nonNull, Entry::next))
        .sorted(Comparator.comparingInt(Entry::index))
        .forEach(this::missing);
  }

  private void unexpected(AnsweredCall call) {
    tally.count(Counter.RECEIPT_CALLS_UNEXPECTED);
    tally.report(FindingCode.RECEIPT_CALL_UNEXPECTED, () -> new Finding(
            FindingCode.RECEIPT_CALL_UNEXPECTED,
            call.resultAt(),
            "call \"%s\" of %s is not in the receipt"
                .formatted(Excerpt.of(call.call().id()), Excerpt.of(call.call().tool())))
        .withId(call.call().id())
        .withValues(null, call.call().tool()));
  }

  private void missing(Entry entry) {
    tally.count(Counter.RECEIPT_CALLS_MISSING);
    tally.report(FindingCode.RECEIPT_CALL_MISSING, () -> {
      String id = String.valueOf(entry.call().id());
      String tool = String.valueOf(entry.call().tool());
      return Finding.of(
              FindingCode.RECEIPT_CALL_MISSING,
              "entry %d of the receipt, call \"%s\" of %s, is not in the log"
                  .formatted(entry.index(), Excerpt.of(id), Excerpt.of(tool)))
          .withId(entry.call().id())
          .withValues(entry.call().tool(), null);
    });
  }
}
