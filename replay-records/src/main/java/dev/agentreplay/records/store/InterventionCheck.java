package dev.agentreplay.records.store;

import dev.agentreplay.records.InterventionSummary;
import dev.agentreplay.records.OperatorIntervention;
import dev.agentreplay.records.OperatorIntervention.Severity;
import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.SessionRecord;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks that interventions belong to their session, and their summary summarizes them. */
final class InterventionCheck {

  private static final String SUMMARY = "trace.intervention_summary.";

  private InterventionCheck() {}

  static void check(SessionRecord record, CheckFindings findings) {
    List<OperatorIntervention> interventions = record.trace().interventions();
    for (int i = 0; i < interventions.size(); i++) {
      findings.expect(
          "trace.interventions[" + i + "].session_id",
          record.sessionId(),
          interventions.get(i).sessionId());
    }
    InterventionSummary found = record.trace().interventionSummary();
    if (found != null) {
      compare(InterventionSummary.of(interventions), found, findings);
    }
  }

  private static void compare(
      InterventionSummary expected, InterventionSummary found, CheckFindings findings) {
    findings.expect(SUMMARY + "total_count", expected.totalCount(), found.totalCount());
    for (Severity severity : Severity.values()) {
      findings.expect(
          SUMMARY + "by_severity." + severity.id(),
          expected.bySeverity().count(severity),
          found.bySeverity().count(severity));
    }
    for (OperatorIntervention.Type type : OperatorIntervention.Type.values()) {
      findings.expect(
          SUMMARY + "by_type." + type.id(),
          expected.byType().count(type),
          found.byType().count(type));
    }
    findings.expect(
        SUMMARY + "has_major_interventions",
        expected.hasMajorInterventions(),
        found.hasMajorInterventions());
    // any order is read
    findings.expect(
        SUMMARY + "operators",
        expected.operators(),
        found.operators().stream().sorted().toList());
    compare(
        SUMMARY + "first_intervention_at",
        expected.firstInterventionAt(),
        found.firstInterventionAt(),
        findings);
    compare(
        SUMMARY + "last_intervention_at",
        expected.lastInterventionAt(),
        found.lastInterventionAt(),
        findings);
  }

  /** Compares times as points in time. A missing time is optional. */
  private static void compare(
      String path,
      @Nullable RecordTime expected,
      @Nullable RecordTime found,
      CheckFindings findings) {
    if (found == null) {
      return;
    }
    Instant time = expected == null ? null : expected.instant();
    if (!found.instant().equals(time)) {
      findings.problem(
          path, "expected %s, found %s".formatted(expected == null ? "no time" : expected, found));
    }
  }
}
