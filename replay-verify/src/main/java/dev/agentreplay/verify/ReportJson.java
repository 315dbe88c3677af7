package dev.agentreplay.verify;

import dev.agentreplay.model.Finding;
import dev.agentreplay.model.Position;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import java.util.Locale;

/** Reports as JSON: schema {@code replay.verify/1}, docs/format.md. */
public final class ReportJson {

  private ReportJson() {}

  /** The report as an object. */
  public static JsonObject of(VerificationReport report) {
    JsonObject.Builder counts = JsonObject.builder();
    report.counts().forEach((counter, n) -> counts.add(counter.id(), number(n)));
    JsonObject.Builder findingCounts = JsonObject.builder();
    report.findingCounts().forEach((code, n) -> findingCounts.add(code.name(), number(n)));
    return JsonObject.of(
        "schema", "replay.verify/1",
        "log", report.session().log().toString(),
        "receipt",
            report.session().receipt() == null
                ? null
                : report.session().receipt().toString(),
        "verdict", lowerCase(report.verdict()),
        "unmet",
            JsonArray.of(
                report.unmet().stream().sorted().map(ReportJson::lowerCase).toArray()),
        "dialect", report.dialect() == null ? null : report.dialect().id(),
        "canonicalization",
            report.canonicalization() == null ? null : report.canonicalization().id(),
        "signers", JsonArray.of(report.signers().toArray()),
        "proved", conclusions(report, true),
        "not_proved", conclusions(report, false),
        "counts", counts.build(),
        "finding_counts", findingCounts.build(),
        "findings_truncated", report.isTruncated(),
        "findings", JsonArray.of(report.findings().stream().map(ReportJson::of).toArray()));
  }

  private static JsonArray conclusions(VerificationReport report, boolean areProved) {
    return JsonArray.of(report.conclusions().stream()
        .filter(conclusion -> conclusion.isProved() == areProved)
        .map(conclusion -> JsonObject.of("id", conclusion.claim().id(), "text", conclusion.text()))
        .toArray());
  }

  /** The report on a log that could not be opened or read from disk, and why. */
  public static JsonObject ofUnreadable(String log, String error) {
    return JsonObject.of(
        "schema",
        "replay.verify/1",
        "log",
        log,
        "verdict",
        lowerCase(Verdict.UNREADABLE),
        "error",
        error,
        "counts",
        JsonObject.EMPTY,
        "finding_counts",
        JsonObject.EMPTY,
        "findings_truncated",
        false,
        "findings",
        JsonArray.EMPTY);
  }

  private static JsonObject of(Finding finding) {
    Position position = finding.position();
    return JsonObject.of(
        "code", finding.code().name(),
        "severity", lowerCase(finding.severity()),
        "line", position == null ? null : position.line(),
        "offset", position == null ? null : position.offset(),
        "message", finding.message(),
        "id", finding.id(),
        "expected", finding.expected(),
        "found", finding.found(),
        "hint", finding.hint());
  }

  private static JsonNumber number(long n) {
    return JsonNumber.of(n);
  }

  private static String lowerCase(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
