package dev.agentreplay.verify.report;

import dev.agentreplay.model.Names;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.verify.Publication;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import dev.agentreplay.verify.batch.BatchTotals;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Renders reports as JSON of the schema {@code replay.verify/1}, see docs/reports.md. */
public final class ReportJson {

  private ReportJson() {}

  /** Renders a report. */
  public static JsonObject render(VerificationReport report) {
    return JsonObject.of(
        "schema",
        "replay.verify/1",
        "log",
        report.session().log().toString(),
        "receipt",
        report.session().receipt() == null ? null : report.session().receipt().toString(),
        "verdict",
        report.verdict().id(),
        "unmet",
        JsonArray.of(report.unmet().stream().sorted().map(Requirement::id).toArray()),
        "dialect",
        report.dialect() == null ? null : report.dialect().id(),
        "canonicalization",
        report.canonicalization() == null ? null : report.canonicalization().id(),
        "signers",
        JsonArray.of(report.signers().toArray()),
        "proved",
        conclusions(report, true),
        "not_proved",
        conclusions(report, false),
        "counts",
        counts(report.counts()),
        Names.FINDING_COUNTS,
        findingCounts(report.findingCounts()),
        "findings_truncated",
        report.isTruncated(),
        "findings",
        JsonArray.of(report.findings().stream().map(ReportJson::of).toArray()),
        "publication",
        publication(report.publication()),
        Names.IMPORTED_FROM,
        report.importedFrom() == null ? null : report.importedFrom().json());
  }

  private static @Nullable JsonObject publication(@Nullable Publication publication) {
    if (publication == null) {
      return null;
    }
    TreeHead tree = publication.tree();
    return JsonObject.of(
        "form",
        publication.form(),
        "policy",
        JsonObject.of(
            "commitment",
            text(publication.policyCommitment()),
            "hash",
            text(publication.policyHash()),
            "id",
            publication.policyId()),
        "source",
        publication.source(),
        Names.PUBLIC_ROOT,
        tree == null ? null : tree.root().toString(),
        Names.TREE_SIZE,
        tree == null ? null : tree.size());
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }

  private static JsonArray conclusions(VerificationReport report, boolean areProved) {
    return JsonArray.of(report.conclusions().stream()
        .filter(conclusion -> conclusion.isProved() == areProved)
        .map(conclusion -> JsonObject.of("id", conclusion.claim().id(), "text", conclusion.text()))
        .toArray());
  }

  /**
   * Renders the report on a log that could not be opened or read from disk.
   *
   * @param log the path of the log
   * @param error the reason
   */
  public static JsonObject renderUnreadable(String log, String error) {
    return JsonObject.of(
        "schema",
        "replay.verify/1",
        "log",
        log,
        "verdict",
        Verdict.UNREADABLE.id(),
        "error",
        error,
        "counts",
        JsonObject.EMPTY,
        Names.FINDING_COUNTS,
        JsonObject.EMPTY,
        "findings_truncated",
        false,
        "findings",
        JsonArray.EMPTY);
  }

  /** Renders the totals of a batch, which follow the reports on its sessions. */
  public static JsonObject render(BatchTotals totals) {
    JsonObject.Builder verdicts = JsonObject.builder();
    totals.verdicts().forEach((verdict, n) -> verdicts.add(verdict.id(), number(n)));
    return JsonObject.of(
        "schema",
        "replay.verify-batch/1",
        "sessions",
        number(totals.sessions()),
        "skipped",
        number(totals.skipped()),
        "verdicts",
        verdicts.build(),
        "counts",
        counts(totals.counts()),
        Names.FINDING_COUNTS,
        findingCounts(totals.findingCounts()));
  }

  private static JsonObject counts(Map<Counter, Long> counts) {
    JsonObject.Builder json = JsonObject.builder();
    counts.forEach((counter, n) -> json.add(counter.id(), number(n)));
    return json.build();
  }

  private static JsonObject findingCounts(Map<FindingCode, Long> counts) {
    JsonObject.Builder json = JsonObject.builder();
    counts.forEach((code, n) -> json.add(code.name(), number(n)));
    return json.build();
  }

  private static JsonObject of(Finding finding) {
    Position position = finding.position();
    return JsonObject.of(
        "code",
        finding.code().name(),
        "severity",
        finding.severity().id(),
        "line",
        position == null ? null : position.line(),
        "offset",
        position == null ? null : position.offset(),
        Names.LINE_OFFSET,
        position == null ? null : position.lineOffset(),
        "message",
        finding.message(),
        "id",
        finding.id(),
        "expected",
        finding.expected(),
        "found",
        finding.found(),
        "hint",
        finding.hint());
  }

  private static JsonNumber number(long n) {
    return JsonNumber.of(n);
  }
}
