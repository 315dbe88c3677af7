package dev.agentreplay.verify.batch;

import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerificationReport.Counter;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** The sum of what was found in many sessions. Immutable. */
public final class BatchTotals {

  /** The totals of no session. */
  public static final BatchTotals NONE = new BatchTotals(Map.of(), Map.of(), Map.of(), 0);

  private final Map<Verdict, Long> verdicts;
  private final Map<Counter, Long> counts;
  private final Map<FindingCode, Long> findingCounts;
  private final long skipped;

  private BatchTotals(
      Map<Verdict, Long> verdicts,
      Map<Counter, Long> counts,
      Map<FindingCode, Long> findingCounts,
      long skipped) {
    this.verdicts = verdicts;
    this.counts = counts;
    this.findingCounts = findingCounts;
    this.skipped = skipped;
  }

  /** With one more session, or with a place that was skipped. */
  public BatchTotals plus(BatchResult result) {
    if (result instanceof BatchResult.Failed failed && failed.isSkipped()) {
      return new BatchTotals(verdicts, counts, findingCounts, skipped + 1);
    }
    Map<Verdict, Long> verdict = Map.of(result.verdict(), 1L);
    return plus(
        result instanceof BatchResult.Verified verified
            ? of(verdict, verified.report())
            : new BatchTotals(verdict, Map.of(), Map.of(), 0));
  }

  private static BatchTotals of(Map<Verdict, Long> verdict, VerificationReport report) {
    return new BatchTotals(verdict, report.counts(), report.findingCounts(), 0);
  }

  /** With the sessions of others. */
  public BatchTotals plus(BatchTotals others) {
    return new BatchTotals(
        sum(Verdict.class, verdicts, others.verdicts),
        sum(Counter.class, counts, others.counts),
        sum(FindingCode.class, findingCounts, others.findingCounts),
        skipped + others.skipped);
  }

  /** The number of sessions: each has one verdict. */
  public long sessions() {
    return verdicts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The number of sessions by their verdict. */
  public Map<Verdict, Long> verdicts() {
    return verdicts;
  }

  /** How much was checked in all of them. */
  public Map<Counter, Long> counts() {
    return counts;
  }

  /** How often each code was found in all of them. */
  public Map<FindingCode, Long> findingCounts() {
    return findingCounts;
  }

  /**
   * The number of places that were not looked into, as {@link BatchResult.Failed#isSkipped} says: a
   * batch is not whole unless there are none.
   */
  public long skipped() {
    return skipped;
  }

  /** The number of sessions that came to a verdict. */
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

  @Override
  public String toString() {
    return "%s, skipped: %d, found: %s".formatted(verdicts, skipped, findingCounts);
  }

  private static <K extends Enum<K>> Map<K, Long> sum(
      Class<K> type, Map<K, Long> one, Map<K, Long> other) {
    Map<K, Long> sum = new EnumMap<>(type);
    sum.putAll(one);
    other.forEach((key, n) -> sum.merge(key, n, Long::sum));
    return Collections.unmodifiableMap(sum);
  }
}
