package dev.agentreplay.junit;

import dev.agentreplay.model.Finding;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.verify.Conclusion;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Why a session is not valid. */
final class VerificationText {

  private static final int MAX_FINDINGS = 20;

  private VerificationText() {}

  /** The verdict in the first line, then what was found, the worst first. */
  static String of(VerificationReport report) {
    StringBuilder out = new StringBuilder("the session is " + lowerCase(report.verdict()));
    List<Finding> findings = report.findings().stream()
        .sorted(Comparator.comparing(Finding::severity))
        .limit(MAX_FINDINGS)
        .toList();
    findings.forEach(finding -> append(out, finding));
    long more =
        report.findingCounts().values().stream().mapToLong(Long::longValue).sum() - findings.size();
    if (more > 0) {
      out.append("\n  and ").append(PlainText.count(more, "more finding"));
    }
    report.unmet().forEach(unmet -> out.append("\n  required, and not met: ")
        .append(lowerCase(unmet)));
    if (report.verdict() == Verdict.UNVERIFIED) {
      report.conclusions().stream()
          .filter(conclusion -> !conclusion.isProved())
          .map(Conclusion::text)
          .forEach(text -> out.append("\n  not proved: ").append(PlainText.of(text)));
    }
    return out.toString();
  }

  private static void append(StringBuilder out, Finding finding) {
    out.append("\n  %s %s: ".formatted(lowerCase(finding.severity()), finding.code()));
    if (finding.position() != null) {
      out.append(finding.position()).append(": ");
    }
    out.append(PlainText.of(finding.message()));
    if (finding.hint() != null) {
      out.append("\n    hint: ").append(PlainText.of(finding.hint()));
    }
  }

  private static String lowerCase(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
