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

/** Counts what is checked and what is found, and keeps the first findings of each code. */
final class Tally {

  private static final Comparator<Finding> IN_ORDER = Comparator.comparingLong(finding ->
      finding.position() == null ? Long.MAX_VALUE : finding.position().offset());

  private final int maxFindings;
  private final Counts<Counter> counts = new Counts<>(Counter.class);
  private final Counts<FindingCode> findingCounts = new Counts<>(FindingCode.class);
  private final List<Finding> findings = new ArrayList<>();

  /** How bad a finding must be to be listed. */
  private Severity listed = Severity.INFO;

  Tally(int maxFindings) {
    this.maxFindings = maxFindings;
    for (Counter counter : Counter.values()) {
      counts.add(counter, 0);
    }
  }

  /** Warnings and what is less are counted from here on, and not listed. */
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

  /** The message is asked for only when the finding is kept: a log may have millions of them. */
  void report(FindingCode code, @Nullable Position position, Supplier<String> message) {
    if (isKept(code)) {
      findings.add(new Finding(code, position, message.get()));
    }
  }

  /** The message is asked for only when the finding, about a call, is kept. */
  void report(
      FindingCode code, @Nullable Position position, String callId, Supplier<String> message) {
    if (isKept(code)) {
      keep(new Finding(code, position, message.get()).withId(callId));
    }
  }

  /** The finding is asked for only when it is kept. */
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

  /** The hint is asked for only when the finding is kept. */
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

  /** Counts a finding. Returns whether it is among those that are listed. */
  private boolean isKept(FindingCode code) {
    return findingCounts.add(code, 1) <= maxFindings && code.severity().compareTo(listed) <= 0;
  }

  /** Puts one finding, the first, in the place of those of some codes. */
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

  /** How often each code was found, of those that were. */
  Map<FindingCode, Long> findingCounts() {
    return findingCounts.toMap();
  }

  /** The findings in the order of the log; those without a place come last. */
  List<Finding> findings() {
    findings.sort(IN_ORDER);
    return findings;
  }
}
