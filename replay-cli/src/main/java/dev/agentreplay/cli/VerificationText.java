package dev.agentreplay.cli;

import dev.agentreplay.model.Finding;
import dev.agentreplay.model.FindingCode;
import dev.agentreplay.model.Position;
import dev.agentreplay.model.Severity;
import dev.agentreplay.verify.Counter;
import dev.agentreplay.verify.Requirement;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A verification for people. */
final class VerificationText {

  private static final String INDENT = "  ";

  private final Style style;
  private final StringBuilder out = new StringBuilder();

  VerificationText(Style style) {
    this.style = style;
  }

  String render(String name, VerificationReport report) {
    out.append(verdict(report.verdict())).append("  ").append(style.bold(Style.plain(name)));
    out.append('\n');
    line("log", log(report));
    hashes("params", report, Counter.PARAMS_HASHES_VERIFIED, Counter.TOOL_CALLS);
    hashes("outputs", report, Counter.OUTPUT_HASHES_VERIFIED, Counter.TOOL_RESULTS);
    line("receipt", receipt(report));
    for (Requirement unmet : report.unmet()) {
      line(style.bad("required"), required(unmet) + ", and there is none");
    }
    findings(report);
    return out.toString();
  }

  private String verdict(Verdict verdict) {
    return switch (verdict) {
      case VALID -> style.good("valid");
      case UNVERIFIED -> style.warn("unverified");
      case INVALID -> style.bad("INVALID");
      case UNREADABLE -> style.bad("UNREADABLE");
    };
  }

  private static String required(Requirement requirement) {
    return switch (requirement) {
      case HASHES -> "a value that has the hash beside it";
      case RECEIPT -> "a receipt";
      case SESSION_END -> "an end of the session";
    };
  }

  private static boolean isLog(VerificationReport report) {
    return report.count(Counter.EVENTS) > 0 || report.count(Counter.UNREADABLE_LINES) == 0;
  }

  private static String log(VerificationReport report) {
    if (!isLog(report)) {
      return "this is not a REPLAY.jsonl: none of its %,d lines is a JSON object"
          .formatted(report.count(Counter.UNREADABLE_LINES));
    }
    List<String> parts = new ArrayList<>();
    parts.add(count(report.count(Counter.EVENTS), "event"));
    if (report.count(Counter.UNKNOWN_EVENTS) > 0) {
      parts.add(report.count(Counter.UNKNOWN_EVENTS) + " of them unknown");
    }
    if (report.count(Counter.UNREADABLE_LINES) > 0) {
      parts.add(count(report.count(Counter.UNREADABLE_LINES), "unreadable line"));
    }
    parts.add(count(report.count(Counter.TOOL_CALLS), "tool call"));
    if (report.dialect() != null) {
      parts.add("dialect " + report.dialect().id());
    }
    return String.join(", ", parts);
  }

  private void hashes(String label, VerificationReport report, Counter verified, Counter all) {
    if (report.count(all) > 0) {
      line(
          label,
          "%,d of %,d have the hash beside them"
              .formatted(report.count(verified), report.count(all)));
    }
  }

  private static String receipt(VerificationReport report) {
    if (report.session().receipt() == null) {
      return "none: nothing says what this log should hold";
    }
    if (report.verdict() == Verdict.UNREADABLE
        || report.count(FindingCode.UNSUPPORTED_VERSION) > 0) {
      return "not compared";
    }
    long verified =
        report.count(Counter.LOG_DIGESTS_VERIFIED) + report.count(Counter.RECEIPT_DIGESTS_VERIFIED);
    String digests = verified == 0 ? "" : ", " + count(verified, "digest") + " verified";
    return "%,d of %,d calls match%s"
        .formatted(
            report.count(Counter.RECEIPT_CALLS_MATCHED),
            report.count(Counter.RECEIPT_CALLS),
            digests);
  }

  private void findings(VerificationReport report) {
    Map<FindingCode, Long> listed = new EnumMap<>(FindingCode.class);
    int most = isLog(report) ? Integer.MAX_VALUE : 1; // each line is as wrong as the first
    List<Finding> worstFirst = report.findings().stream()
        .sorted(Comparator.comparing(Finding::severity))
        .limit(most)
        .toList();
    for (Finding finding : worstFirst) {
      listed.merge(finding.code(), 1L, Long::sum);
      out.append(INDENT).append(severity(finding.severity(), finding.code().name()));
      Position position = finding.position();
      if (position != null) {
        out.append("  ").append(position);
      }
      out.append('\n');
      wrap(Style.plain(Style.shortHashes(finding.message())));
      if (finding.hint() != null) {
        wrap("hint: " + Style.plain(finding.hint()));
      } else if (finding.code() == FindingCode.TORN_TAIL) {
        wrap("hint: replay recover --repair cuts it off, and keeps it beside the log");
      }
    }
    report.findingCounts().forEach((code, n) -> {
      long more = n - listed.getOrDefault(code, 0L);
      if (more > 0) {
        out.append(INDENT).append("%,d more of %s\n".formatted(more, code));
      }
    });
  }

  private String severity(Severity severity, String code) {
    String label = severity.name().toLowerCase(Locale.ROOT) + "  ";
    return switch (severity) {
      case UNREADABLE, ERROR -> style.bad(label + code);
      case WARNING -> style.warn(label + code);
      case INFO -> style.dim(label + code);
    };
  }

  /** Breaks a message at blanks, so that it fits. */
  private void wrap(String message) {
    String indent = INDENT.repeat(3);
    StringBuilder row = new StringBuilder(indent);
    for (String word : message.split(" ", -1)) {
      if (row.length() + 1 + word.length() > Style.WIDTH && row.length() > indent.length()) {
        out.append(row).append('\n');
        row.setLength(indent.length());
      }
      row.append(row.length() == indent.length() ? "" : " ").append(word);
    }
    out.append(row).append('\n');
  }

  private void line(String label, String text) {
    out.append(INDENT).append("%-8s ".formatted(label)).append(text).append('\n');
  }

  private static String count(long n, String noun) {
    return "%,d %s%s".formatted(n, noun, n == 1 ? "" : "s");
  }
}
