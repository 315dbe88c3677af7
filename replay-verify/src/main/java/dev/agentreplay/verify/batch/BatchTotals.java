package dev.agentreplay.verify.batch;

import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerificationReport.Counter;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** The sums over the results of many sessions. Immutable. */
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

  /** Returns the totals with one more session or skipped place. */
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

  /** Returns the sum of these totals and others. */
  public BatchTotals plus(BatchTotals others) {
    return new BatchTotals(
        sum(Verdict.class, verdicts, others.verdicts),
        sum(Counter.class, counts, others.counts),
        sum(FindingCode.class, findingCounts, others.findingCounts),
        skipped + others.skipped);
  }

  /** The number of sessions, each of which has one verdict. */
  public long sessions() {
    return verdicts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The number of sessions by verdict. */
  public Map<Verdict, Long> verdicts() {
    return verdicts;
  }

  /** The sum of each counter over all sessions. */
  public Map<Counter, Long> counts() {
    return counts;
  }

  /** The number of findings of each code in all sessions. */
  public Map<FindingCode, Long> findingCounts() {
    return findingCounts;
  }

  /**
   * The number of places that were not searched, see {@link BatchResult.Failed#isSkipped}. A batch
   * is complete only if it is 0.
   */
  public long skipped() {
    return skipped;
  }

  /** The number of sessions with a verdict. */
  public long count(Verdict verdict) {
    return verdicts.getOrDefault(verdict, 0L);
  }

  /** The sum of a counter over all sessions. */
  public long count(Counter counter) {
    return counts.getOrDefault(counter, 0L);
  }

  /** The number of findings of a code, listed or not. */
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
