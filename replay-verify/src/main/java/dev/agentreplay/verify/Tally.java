package dev.agentreplay.verify;

import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.finding.Severity;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.input.AnsweredCall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts checks and findings, and keeps the first findings of each code. */
final class Tally {

  private static final Comparator<Finding> IN_ORDER = Comparator.comparingLong(finding ->
      finding.position() == null ? Long.MAX_VALUE : finding.position().offset());

  private final int maxFindings;
  private final Counts<Counter> counts = new Counts<>(Counter.class);
  private final Counts<FindingCode> findingCounts = new Counts<>(FindingCode.class);
  private final List<Finding> findings = new ArrayList<>();

  /** The least severity of the findings that are listed. */
  private Severity listed = Severity.INFO;

  Tally(int maxFindings) {
    this.maxFindings = maxFindings;
    for (Counter counter : Counter.values()) {
      counts.add(counter, 0);
    }
  }

  /** Lists only errors from here on: warnings and lower severities are counted, but not listed. */
  void listErrorsOnly() {
    listed = Severity.ERROR;
  }

  void count(Counter counter) {
    counts.add(counter, 1);
  }

  void add(Counter counter, long amount) {
    counts.add(counter, amount);
  }

  long get(Counter counter) {
    return counts.get(counter);
  }

  void report(FindingCode code, @Nullable Position position, String message) {
    if (isKept(code)) {
      findings.add(new Finding(code, position, message));
    }
  }

  /**
   * Reports a finding. The message is computed only when the finding is kept: a log may have
   * millions of findings.
   */
  void report(FindingCode code, @Nullable Position position, Supplier<String> message) {
    if (isKept(code)) {
      findings.add(new Finding(code, position, message.get()));
    }
  }

  /** Reports a finding about a call. The message is computed only when the finding is kept. */
  void report(
      FindingCode code, @Nullable Position position, String callId, Supplier<String> message) {
    if (isKept(code)) {
      keep(new Finding(code, position, message.get()).withId(callId));
    }
  }

  /** Reports a finding, and lists only the first one with its code; all are counted. */
  void reportListedOnce(FindingCode code, @Nullable Position position, Supplier<String> message) {
    if (isKept(code) && findingCounts.get(code) == 1) {
      findings.add(new Finding(code, position, message.get()));
    }
  }

  /** Reports a finding, which is computed only when it is kept. */
  void report(FindingCode code, Supplier<Finding> finding) {
    if (isKept(code)) {
      keep(finding.get());
    }
  }

  void report(Finding finding) {
    if (isKept(finding.code())) {
      keep(finding);
    }
  }

  /** Reports a finding with a hint, which is computed only when the finding is kept. */
  void report(Finding finding, Supplier<@Nullable String> hint) {
    if (isKept(finding.code())) {
      keep(finding.withHint(hint.get()));
    }
  }

  /** Keeps a finding, in bounded memory. */
  private void keep(Finding finding) {
    findings.add(finding
        .withId(bounded(finding.id()))
        .withValues(bounded(finding.expected()), bounded(finding.found())));
  }

  private static @Nullable String bounded(@Nullable String text) {
    return text == null ? null : AnsweredCall.bounded(text);
  }

  /** Counts a finding, and returns whether it is listed. */
  private boolean isKept(FindingCode code) {
    return findingCounts.add(code, 1) <= maxFindings && code.severity().compareTo(listed) <= 0;
  }

  /** Replaces the findings of some codes by a single finding, which becomes the first. */
  void replace(Set<FindingCode> codes, Finding cause) {
    findings.removeIf(finding -> codes.contains(finding.code()));
    codes.forEach(findingCounts::remove);
    findingCounts.add(cause.code(), 1);
    findings.add(0, cause);
  }

  boolean hasAny(Severity severity) {
    return findingCounts().keySet().stream().anyMatch(code -> code.severity() == severity);
  }

  Map<Counter, Long> counts() {
    return counts.toMap();
  }

  /** The number of findings of each code that was found. */
  Map<FindingCode, Long> findingCounts() {
    return findingCounts.toMap();
  }

  /** The findings in the order of the log; those without a position come last. */
  List<Finding> findings() {
    findings.sort(IN_ORDER);
    return findings;
  }
}
