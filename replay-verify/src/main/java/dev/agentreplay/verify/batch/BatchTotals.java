package dev.agentreplay.verify.batch;

import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.verify.Counter;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The sum of what was found in many sessions. Immutable.
 *
 * @param verdicts how many sessions came to what
 * @param counts how much was checked in all of them
 * @param findingCounts how often each code was found in all of them
 * @param skipped how many places were not looked into, as {@link BatchResult#isSkipped} says: a
 *     batch is not whole unless there are none
 */
public record BatchTotals(
    Map<Verdict, Long> verdicts,
    Map<Counter, Long> counts,
    Map<FindingCode, Long> findingCounts,
    long skipped) {

  /** Of no session. */
  public static final BatchTotals NONE = new BatchTotals(Map.of(), Map.of(), Map.of(), 0);

  /** Copies. */
  public BatchTotals {
    verdicts = sum(Verdict.class, verdicts, Map.of());
    counts = sum(Counter.class, counts, Map.of());
    findingCounts = sum(FindingCode.class, findingCounts, Map.of());
  }

  /** With one more session, or with a place that was skipped. */
  public BatchTotals plus(BatchResult result) {
    if (result.isSkipped()) {
      return new BatchTotals(verdicts, counts, findingCounts, skipped + 1);
    }
    VerificationReport report = result.report();
    return plus(new BatchTotals(
        Map.of(result.verdict(), 1L),
        report == null ? Map.of() : report.counts(),
        report == null ? Map.of() : report.findingCounts(),
        0));
  }

  /** With the sessions of others. */
  public BatchTotals plus(BatchTotals others) {
    return new BatchTotals(
        sum(Verdict.class, verdicts, others.verdicts),
        sum(Counter.class, counts, others.counts),
        sum(FindingCode.class, findingCounts, others.findingCounts),
        skipped + others.skipped);
  }

  /** How many sessions there were: each has one verdict. */
  public long sessions() {
    return verdicts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** How many sessions came to this. */
  public long count(Verdict verdict) {
    return verdicts.getOrDefault(verdict, 0L);
  }

  /** How often something was counted. */
  public long count(Counter counter) {
    return counts.getOrDefault(counter, 0L);
  }

  /** How often a code was found, listed or not. */
  public long count(FindingCode code) {
    return findingCounts.getOrDefault(code, 0L);
  }

  private static <K extends Enum<K>> Map<K, Long> sum(
      Class<K> type, Map<K, Long> one, Map<K, Long> other) {
    Map<K, Long> sum = new EnumMap<>(type);
    sum.putAll(one);
    other.forEach((key, n) -> sum.merge(key, n, Long::sum));
    return Collections.unmodifiableMap(sum);
  }
}
