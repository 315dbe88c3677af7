package dev.agentreplay.verify;

import dev.agentreplay.model.Finding;
import dev.agentreplay.model.FindingCode;
import dev.agentreplay.model.Position;
import dev.agentreplay.model.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts what is checked and what is found, and keeps the first findings of each code. */
final class Tally {

  private static final Comparator<Finding> IN_ORDER = Comparator.comparingLong(finding ->
      finding.position() == null ? Long.MAX_VALUE : finding.position().offset());

  private final int maxFindings;
  private final Map<Counter, Long> counts = new EnumMap<>(Counter.class);
  private final Map<FindingCode, Long> findingCounts = new EnumMap<>(FindingCode.class);
  private final List<Finding> findings = new ArrayList<>();

  Tally(int maxFindings) {
    this.maxFindings = maxFindings;
    for (Counter counter : Counter.values()) {
      counts.put(counter, 0L);
    }
  }

  void count(Counter counter) {
    add(counter, 1);
  }

  void add(Counter counter, long amount) {
    counts.merge(counter, amount, Long::sum);
  }

  long get(Counter counter) {
    return counts.getOrDefault(counter, 0L);
  }

  void report(FindingCode code, @Nullable Position position, String message) {
    report(new Finding(code, position, message));
  }

  void report(Finding finding) {
    report(finding, () -> null);
  }

  /** The hint is asked for only when the finding is kept. */
  void report(Finding finding, Supplier<@Nullable String> hint) {
    if (findingCounts.merge(finding.code(), 1L, Long::sum) <= maxFindings) {
      String given = hint.get();
      findings.add(given == null ? finding : finding.withHint(given));
    }
  }

  boolean hasAny(Severity severity) {
    return findingCounts.keySet().stream().anyMatch(code -> code.severity() == severity);
  }

  Map<Counter, Long> counts() {
    return counts;
  }

  Map<FindingCode, Long> findingCounts() {
    return findingCounts;
  }

  /** The findings in the order of the log; those without a place come last. */
  List<Finding> findings() {
    findings.sort(IN_ORDER);
    return findings;
  }
}
