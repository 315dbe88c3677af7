package dev.agentreplay.cli;

import dev.agentreplay.model.Finding;
import dev.agentreplay.model.FindingCode;
import dev.agentreplay.model.Severity;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.verify.BatchResult;
import dev.agentreplay.verify.BatchTotals;
import dev.agentreplay.verify.Counter;
import dev.agentreplay.verify.Requirement;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import java.io.IOException;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Verifications of many sessions for people: a row each, and what is wrong with those that fail.
 */
final class VerificationTable {

  private static final String COLUMNS = " %8s %7s %11s  %-14s %s";
  private static final int VERDICT_WIDTH = 10;
  private static final String BENEATH = " ".repeat(VERDICT_WIDTH + 2);
  private static final int MOST_BENEATH = 3;

  private final Style style;

  VerificationTable(Style style) {
    this.style = style;
  }

  String heading() {
    String verdict = "%-" + VERDICT_WIDTH + "s";
    return style.dim(verdict.formatted("verdict")
            + COLUMNS.formatted("events", "calls", "hashes", "receipt", "session"))
        + "\n";
  }

  String row(BatchResult result) {
    VerificationReport report = result.report();
    String path = Style.plain(result.path().toString());
    if (report == null) {
      IOException failure = Objects.requireNonNull(result.failure(), "a failure");
      String reason = Style.plain(reason(result, failure));
      return row(result, "-", "-", "-", "-", path + style.bad("  (" + reason + ")"));
    }
    boolean isFailed = ExitCode.of(report) != ExitCode.OK;
    String row = row(
        result,
        "%,d".formatted(report.count(Counter.EVENTS)),
        "%,d".formatted(report.count(Counter.TOOL_CALLS)),
        hashes(report),
        receipt(report),
        isFailed ? path : path + worst(report));
    return row + (isFailed ? beneath(report) : repeated(report));
  }

  String totals(BatchTotals totals) {
    String verdicts = totals.verdicts().entrySet().stream()
        .map(e -> "%,d %s".formatted(e.getValue(), e.getKey().id()))
        .collect(Collectors.joining(", "));
    StringBuilder out = new StringBuilder();
    out.append(
        "\n%s: %s\n".formatted(PlainText.count(totals.sessions(), "session"), verdicts));
    if (totals.skipped() > 0) {
      out.append(style.bad("%s skipped: sessions there are not verified\n"
          .formatted(PlainText.count(totals.skipped(), "place"))));
    }
    out.append("%s, %s; %,d of %,d hashes verified; %,d of %,d calls of receipts match\n"
        .formatted(
            PlainText.count(totals.count(Counter.EVENTS), "event"),
            PlainText.count(totals.count(Counter.TOOL_CALLS), "tool call"),
            totals.count(Counter.PARAMS_HASHES_VERIFIED)
                + totals.count(Counter.OUTPUT_HASHES_VERIFIED),
            totals.count(Counter.TOOL_CALLS) + totals.count(Counter.TOOL_RESULTS),
            totals.count(Counter.RECEIPT_CALLS_MATCHED),
            totals.count(Counter.RECEIPT_CALLS)));
    totals.findingCounts().entrySet().stream()
        .sorted(Comparator.comparing(
            (Map.Entry<FindingCode, Long> entry) -> entry.getKey().severity()))
        .forEach(entry -> out.append("%,9d ".formatted(entry.getValue()))
            .append(style.severity(entry.getKey().severity(), entry.getKey().name()))
            .append('\n'));
    return out.toString();
  }

  private String row(
      BatchResult result,
      String events,
      String calls,
      String hashes,
      String receipt,
      String session) {
    return style.verdict(result.verdict(), VERDICT_WIDTH)
        + COLUMNS.formatted(events, calls, hashes, receipt, session)
        + "\n";
  }

  /** Why there is no report, without the path that most messages begin with. */
  private static String reason(BatchResult result, IOException failure) {
    String text = Main.describe(failure);
    String prefix = result.path() + ": ";
    return text.startsWith(prefix) ? text.substring(prefix.length()) : text;
  }

  private static String hashes(VerificationReport report) {
    return "%,d/%,d"
        .formatted(
            report.count(Counter.PARAMS_HASHES_VERIFIED)
                + report.count(Counter.OUTPUT_HASHES_VERIFIED),
            report.count(Counter.TOOL_CALLS) + report.count(Counter.TOOL_RESULTS));
  }

  /** Calls that match the receipt, and how far it vouches for the whole log. */
  private static String receipt(VerificationReport report) {
    if (report.session().receipt() == null) {
      return "none";
    }
    if (report.verdict() == Verdict.UNREADABLE
        || report.count(FindingCode.UNSUPPORTED_VERSION) > 0) {
      return "not compared";
    }
    return "%,d/%,d%s"
        .formatted(
            report.count(Counter.RECEIPT_CALLS_MATCHED),
            report.count(Counter.RECEIPT_CALLS),
            vouched(report));
  }

  private static String vouched(VerificationReport report) {
    long events = Math.max(report.count(Counter.EVENTS), 1);
    if (report.count(Counter.LINES_SIGNED) >= events) {
      return " signed";
    }
    boolean isWhole = report.count(Counter.LOG_DIGESTS_VERIFIED) > 0
        || report.count(Counter.LINES_IN_TREE) >= events;
    return isWhole ? " log" : report.count(Counter.EVENT_DIGESTS_VERIFIED) > 0 ? " events" : "";
  }

  private String worst(VerificationReport report) {
    Finding worst =
        report.findings().stream().min(Comparator.comparing(Finding::severity)).orElse(null);
    if (worst == null) {
      return "";
    }
    long more = found(report) - 1;
    return style.severity(
        worst.severity(),
        "  (%s%s%s)"
            .formatted(worst.code(), line(worst), more == 0 ? "" : ", %,d more".formatted(more)));
  }

  private static long found(VerificationReport report) {
    return report.findingCounts().values().stream().mapToLong(Long::longValue).sum();
  }

  private static String line(Finding finding) {
    return finding.position() == null ? "" : " line " + finding.position().line();
  }

  /** Which session it is once more, which fails nothing and must not be overlooked. */
  private String repeated(VerificationReport report) {
    return report.findings().stream()
        .filter(finding -> finding.code() == FindingCode.SESSION_REPEATED)
        .map(finding -> BENEATH
            + style.severity(finding.severity(), finding.code().name())
            + "  "
            + Style.plain(finding.message())
            + "\n")
        .collect(Collectors.joining());
  }

  /** The first finding of each of the worst codes, and what is required and not there. */
  private String beneath(VerificationReport report) {
    StringBuilder out = new StringBuilder();
    for (Requirement unmet : new TreeSet<>(report.unmet())) {
      out.append(BENEATH).append("required: ").append(VerificationText.required(unmet));
      out.append('\n');
    }
    Set<FindingCode> told = EnumSet.noneOf(FindingCode.class);
    List<Finding> worst = report.findings().stream()
        .filter(finding -> finding.severity() != Severity.INFO)
        .sorted(Comparator.comparing(Finding::severity))
        .filter(finding -> told.add(finding.code()))
        .limit(MOST_BENEATH)
        .toList();
    for (Finding finding : worst) {
      String head = finding.code() + line(finding);
      int width = Math.max(20, Style.WIDTH - BENEATH.length() - head.length() - 2);
      String message = Style.fit(Style.shortHashes(finding.message()), width);
      out.append(BENEATH).append(style.severity(finding.severity(), head));
      out.append("  ").append(message).append('\n');
    }
    long more = found(report) - worst.size();
    if (more > 0) {
      out.append(BENEATH).append("%,d more\n".formatted(more));
    }
    return out.toString();
  }
}
