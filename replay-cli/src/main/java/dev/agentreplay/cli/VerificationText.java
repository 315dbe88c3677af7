package dev.agentreplay.cli;

import dev.agentreplay.model.Finding;
import dev.agentreplay.model.FindingCode;
import dev.agentreplay.model.Position;
import dev.agentreplay.model.Severity;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.verify.Conclusion;
import dev.agentreplay.verify.Counter;
import dev.agentreplay.verify.Requirement;
import dev.agentreplay.verify.VerificationReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A verification for people. */
final class VerificationText {

  private static final String FINDING = LabelledText.INDENT.repeat(3);

  private final Style style;
  private final LabelledText out = new LabelledText();

  VerificationText(Style style) {
    this.style = style;
  }

  String render(String name, VerificationReport report) {
    out.append(style.verdict(report.verdict()) + "  " + style.bold(Style.plain(name)) + "\n");
    out.labelled("log", log(report));
    if (isLog(report)) {
      conclusions("proved", true, report);
      conclusions("not proved", false, report);
    }
    report.unmet().stream().sorted().forEach(unmet -> out.labelled("required", required(unmet)));
    findings(report);
    return out.toString();
  }

  /** What was required and is not there. */
  static String required(Requirement requirement) {
    return switch (requirement) {
      case HASHES -> "a value that has the hash beside it, and there is none";
      case VALUES -> "every value that the log has a hash or preview of, and not all are there";
      case RECEIPT -> "a receipt, and there is none";
      case TREE -> "a verified tree root over every line, and there is none";
      case SIGNATURE -> "a trusted key's signature over every line, and there is none";
      case SESSION_END -> "an end of the session, and none was found";
      case CANONICAL_LINES -> "lines in canonical form, and that is not known of each";
    };
  }

  private static boolean isLog(VerificationReport report) {
    return report.count(Counter.KNOWN_EVENTS) > 0
        || report.count(Counter.EVENTS) + report.count(Counter.UNREADABLE_LINES) == 0;
  }

  private static String log(VerificationReport report) {
    if (!isLog(report)) {
      return "this is not a REPLAY.jsonl: " + notALog(report);
    }
    List<String> parts = new ArrayList<>();
    parts.add(PlainText.count(report.count(Counter.EVENTS), "event"));
    if (report.count(Counter.UNKNOWN_EVENTS) > 0) {
      parts.add(report.count(Counter.UNKNOWN_EVENTS) + " of them unknown");
    }
    if (report.count(Counter.UNREADABLE_LINES) > 0) {
      parts.add(PlainText.count(report.count(Counter.UNREADABLE_LINES), "unreadable line"));
    }
    parts.add(PlainText.count(report.count(Counter.TOOL_CALLS), "tool call"));
    if (report.dialect() != null) {
      parts.add("dialect " + report.dialect().id());
    }
    return String.join(", ", parts);
  }

  private static String notALog(VerificationReport report) {
    long objects = report.count(Counter.EVENTS);
    if (objects == 1 && report.count(Counter.UNREADABLE_LINES) == 0) {
      return "its only line is not a known event";
    }
    if (objects > 0) {
      return "none of its %s is of a known event".formatted(PlainText.count(objects, "JSON object"));
    }
    long lines = report.count(Counter.UNREADABLE_LINES);
    return lines == 1
        ? "its first line is not a JSON object"
        : "none of its %,d lines is a JSON object".formatted(lines);
  }

  private void conclusions(String label, boolean areProved, VerificationReport report) {
    List<String> texts = report.conclusions().stream()
        .filter(conclusion -> conclusion.isProved() == areProved)
        .map(Conclusion::text)
        .toList();
    out.labelled(label, texts);
  }

  private void findings(VerificationReport report) {
    Map<FindingCode, Long> listed = new EnumMap<>(FindingCode.class);
    boolean isEach = report.count(Counter.EVENTS) > 0 || isLog(report);
    int most = isEach ? Integer.MAX_VALUE : 1; // each line is as wrong as the first
    List<Finding> worstFirst = report.findings().stream()
        .sorted(Comparator.comparing(Finding::severity))
        .limit(most)
        .toList();
    for (Finding finding : worstFirst) {
      listed.merge(finding.code(), 1L, Long::sum);
      out.append(LabelledText.INDENT)
          .append(severity(finding.severity(), finding.code().name()));
      Position position = finding.position();
      if (position != null) {
        out.append("  " + position);
      }
      out.append("\n");
      out.wrap(FINDING, Style.plain(Style.shortHashes(finding.message())));
      if (finding.hint() != null) {
        out.wrap(FINDING, "hint: " + Style.plain(finding.hint()));
      } else if (finding.code() == FindingCode.TORN_TAIL) {
        out.wrap(FINDING, "hint: replay recover --repair cuts it off, and keeps it beside the log");
      }
    }
    report.findingCounts().forEach((code, n) -> {
      long more = n - listed.getOrDefault(code, 0L);
      if (more > 0) {
        out.append(LabelledText.INDENT).append("%,d more of %s\n".formatted(more, code));
      }
    });
  }

  private String severity(Severity severity, String code) {
    return style.severity(severity, severity.id() + "  " + code);
  }
}
