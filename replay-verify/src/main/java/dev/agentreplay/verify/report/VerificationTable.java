package dev.agentreplay.verify.report;

import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Severity;
import dev.agentreplay.model.text.LabelledText;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import dev.agentreplay.verify.batch.BatchTotals;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Renders the verifications of many sessions as a table for people: a row per session, followed by
 * the findings of those that fail.
 */
public final class VerificationTable {

  private static final String COLUMNS = " %8s %7s %11s  %-14s %s";
  private static final int VERDICT_WIDTH = 10;
  private static final String BENEATH = " ".repeat(VERDICT_WIDTH + 2);
  private static final int MOST_BENEATH = 3;

  private final VerificationText.Style style;

  private VerificationTable(VerificationText.Style style) {
    this.style = style;
  }

  /** Returns a table in a style. */
  public static VerificationTable of(VerificationText.Style style) {
    return new VerificationTable(style);
  }

  /** The row with the names of the columns; it ends with a line feed. */
  public String heading() {
    String verdict = "%-" + VERDICT_WIDTH + "s";
    return style.severity(
            Severity.INFO,
            verdict.formatted("verdict")
                + COLUMNS.formatted("events", "calls", "hashes", "receipt", "session"))
        + "\n";
  }

  /** Renders the row of a verified session, followed by its findings. */
  public String row(Path session, VerificationReport report) {
    String path = PlainText.of(session.toString());
    boolean isFailed = isFailed(report);
    String row = row(
        report.verdict(),
        "%,d".formatted(report.count(Counter.EVENTS)),
        "%,d".formatted(report.count(Counter.TOOL_CALLS)),
        hashes(report),
        receipt(report),
        isFailed ? path : path + worst(report));
    return row + (isFailed ? beneath(report) : repeated(report));
  }

  /**
   * Renders the row of a session that could not be read.
   *
   * @param reason the reason, which may begin with the path
   */
  public String row(Path session, String reason) {
    String prefix = session + ": ";
    String rest = reason.startsWith(prefix) ? reason.substring(prefix.length()) : reason;
    String path = PlainText.of(session.toString());
    String why = style.severity(Severity.ERROR, "  (" + PlainText.of(rest) + ")");
    return row(Verdict.UNREADABLE, "-", "-", "-", "-", path + why);
  }

  private static boolean isFailed(VerificationReport report) {
    return report.verdict() == Verdict.INVALID
        || report.verdict() == Verdict.UNREADABLE
        || !report.unmet().isEmpty();
  }

  /** Renders the totals of all sessions. */
  public String totals(BatchTotals totals) {
    String verdicts = totals.verdicts().entrySet().stream()
        .map(e -> "%,d %s".formatted(e.getValue(), e.getKey().id()))
        .collect(Collectors.joining(", "));
    StringBuilder out = new StringBuilder();
    out.append("\n%s: %s\n".formatted(PlainText.count(totals.sessions(), "session"), verdicts));
    if (totals.skipped() > 0) {
      out.append(style.severity(
          Severity.ERROR,
          "%s skipped: sessions there are not verified\n"
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
      Verdict verdict, String events, String calls, String hashes, String receipt, String session) {
    String text = String.format("%-" + VERDICT_WIDTH + "s", verdict.id());
    return style.verdict(verdict, text)
        + COLUMNS.formatted(events, calls, hashes, receipt, session)
        + "\n";
  }

  private static String hashes(VerificationReport report) {
    return "%,d/%,d"
        .formatted(
            report.count(Counter.PARAMS_HASHES_VERIFIED)
                + report.count(Counter.OUTPUT_HASHES_VERIFIED),
            report.count(Counter.TOOL_CALLS) + report.count(Counter.TOOL_RESULTS));
  }

  /** The number of calls that match the receipt, and the part of the log that was verified. */
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

  /**
   * Renders the finding that the session repeats an earlier one, which does not fail but must be
   * visible.
   */
  private String repeated(VerificationReport report) {
    return report.findings().stream()
        .filter(finding -> finding.code() == FindingCode.SESSION_REPEATED)
        .map(finding -> BENEATH
            + style.severity(finding.severity(), finding.code().name())
            + "  "
            + PlainText.of(finding.message())
            + "\n")
        .collect(Collectors.joining());
  }

  /**
   * Renders the requirements that are not met, and the first finding of each of the worst codes.
   */
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
      int width = Math.max(20, LabelledText.WIDTH - BENEATH.length() - head.length() - 2);
      String message = PlainText.fit(VerificationText.shortHashes(finding.message()), width);
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
