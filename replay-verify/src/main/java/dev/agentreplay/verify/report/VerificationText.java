package dev.agentreplay.verify.report;

import static java.util.stream.Collectors.toSet;

import dev.agentreplay.model.ImportOrigin;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.finding.Severity;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.model.text.LabelledText;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.verify.Publication;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Renders a verification as text: the verdict, the conclusions, and the findings, the worst first.
 * Control characters in recorded text are replaced by visible ones, so that a terminal does not
 * interpret them.
 */
public final class VerificationText {

  /** The emphasis of parts of a text. A method must not add visible characters. */
  public interface Style {

    /** Renders a text about a verdict. */
    default String verdict(Verdict verdict, String text) {
      return text;
    }

    /** Renders a text about something of a severity. */
    default String severity(Severity severity, String text) {
      return text;
    }

    /** Renders a name. */
    default String bold(String text) {
      return text;
    }
  }

  /** The style without emphasis. */
  public static final Style PLAIN = new Style() {};

  private static final int MOST_IN_MESSAGE = 20;
  private static final String FINDING = LabelledText.INDENT.repeat(3);
  private static final int HASH_LENGTH = 64;
  private static final int MIN_SHOWN = 12;
  private static final Pattern HASH = Pattern.compile("\\b[0-9a-f]{%d}\\b".formatted(HASH_LENGTH));

  private final VerificationReport report;
  private final Style style;
  private final LabelledText out = new LabelledText();

  private VerificationText(VerificationReport report, Style style) {
    this.report = report;
    this.style = style;
  }

  /** Renders a whole report; each line ends with a line feed. */
  public static String render(VerificationReport report, String name, Style style) {
    return new VerificationText(report, style).whole(name);
  }

  /**
   * Renders the verdict, the unmet requirements and the 20 worst findings for a message, without a
   * final line feed; for an unverified session, also the claims that are not proved.
   */
  public static String renderFailure(VerificationReport report) {
    return new VerificationText(report, PLAIN).failure();
  }

  private String whole(String name) {
    heading(name);
    out.labelled("log", log());
    Publication publication = report.publication();
    if (publication != null) {
      out.labelled(
          "published",
          PlainText.of("%s, under the policy %s"
              .formatted(Excerpt.of(publication.form()), Excerpt.of(publication.policyId()))));
    }
    ImportOrigin origin = report.importedFrom();
    if (origin != null) {
      out.labelled("imported", "from " + PlainText.of(shortHashes(origin.text())));
    }
    if (isLog()) {
      conclusions("proved", true);
      conclusions("not proved", false);
    }
    required();
    findings(Integer.MAX_VALUE);
    return out.toString();
  }

  private String failure() {
    heading(report.session().log().toString());
    if (report.verdict() == Verdict.UNVERIFIED) {
      conclusions("not proved", false);
    }
    required();
    findings(MOST_IN_MESSAGE);
    return out.toString().stripTrailing();
  }

  private void heading(String name) {
    out.append(verdict(report.verdict(), style))
        .append("  " + style.bold(PlainText.of(name)) + "\n");
  }

  private void required() {
    report.unmet().stream().sorted().forEach(unmet -> out.labelled("required", required(unmet)));
  }

  /** Renders a verdict, spelled as in JSON. */
  public static String verdict(Verdict verdict, Style style) {
    return style.verdict(verdict, verdict.id());
  }

  /** Shortens each SHA-256 hash in a text to a prefix that is unique in it. */
  static String shortHashes(String text) {
    Set<String> hashes = HASH.matcher(text).results().map(MatchResult::group).collect(toSet());
    int shown = MIN_SHOWN;
    while (beginnings(hashes, shown) < hashes.size()) {
      shown++;
    }
    int end = shown;
    return HASH.matcher(text)
        .replaceAll(hash -> hash.group().substring(0, end) + (end < HASH_LENGTH ? "…" : ""));
  }

  private static long beginnings(Set<String> hashes, int length) {
    return hashes.stream().map(hash -> hash.substring(0, length)).distinct().count();
  }

  /** The text of a requirement that is not met. */
  static String required(Requirement requirement) {
    return switch (requirement) {
      case HASHES -> "parameters or an output that match their hash, and there are none";
      case VALUES -> "every value that the log has a hash or preview of, and not all were verified";
      case RECEIPT -> "a receipt that matches the log, and there is none";
      case TREE -> "a verified tree root over every line, and there is none";
      case SIGNATURE -> "a trusted key's signature over every line, and there is none";
      case SESSION_END -> "an end of the session in a completely readable log, and none was found";
      case CANONICAL_LINES -> "lines in canonical form, and not all are known to be";
    };
  }

  private boolean isLog() {
    return report.count(Counter.KNOWN_EVENTS) > 0
        || report.count(Counter.EVENTS) + report.count(Counter.UNREADABLE_LINES) == 0;
  }

  private String log() {
    if (!isLog()) {
      return "this is not a REPLAY.jsonl: " + notALog();
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

  private String notALog() {
    long objects = report.count(Counter.EVENTS);
    if (objects == 1 && report.count(Counter.UNREADABLE_LINES) == 0) {
      return "its only line is not a known event";
    }
    if (objects > 0) {
      return "none of its %s is of a known event"
          .formatted(PlainText.count(objects, "JSON object"));
    }
    long lines = report.count(Counter.UNREADABLE_LINES);
    return lines == 1
        ? "its first line is not a JSON object"
        : "none of its %,d lines is a JSON object".formatted(lines);
  }

  private void conclusions(String label, boolean areProved) {
    List<String> texts = report.conclusions().stream()
        .filter(conclusion -> conclusion.isProved() == areProved)
        .map(conclusion -> PlainText.of(conclusion.text()))
        .toList();
    out.labelled(label, texts);
  }

  private void findings(int limit) {
    Map<FindingCode, Long> listed = new EnumMap<>(FindingCode.class);
    boolean isEach = report.count(Counter.EVENTS) > 0 || isLog();
    int most = isEach ? limit : 1; // each line is as wrong as the first
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
      out.wrap(FINDING, PlainText.of(shortHashes(finding.message())));
      if (finding.hint() != null) {
        out.wrap(FINDING, "hint: " + PlainText.of(finding.hint()));
      } else if (finding.code() == FindingCode.TORN_TAIL) {
        out.wrap(FINDING, "hint: replay recover shows how to repair the log without losing bytes");
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
