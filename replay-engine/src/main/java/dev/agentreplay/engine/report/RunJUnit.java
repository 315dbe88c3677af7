package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.replay.ReplayDivergence;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.report.JUnitReport.Cases;
import dev.agentreplay.model.text.PlainText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Renders the report of a replay as JUnit XML. */
final class RunJUnit {

  private final ReplayReport report;
  private final DivergenceSeverity failOn;
  private final StringBuilder cases = new StringBuilder();
  private int tests;
  private int failures;
  private int errors;
  private int skipped;

  RunJUnit(ReplayReport report, DivergenceSeverity failOn) {
    this.report = report;
    this.failOn = failOn;
  }

  String render() {
    SessionDiff diff = report.comparison();
    Cases steps = diff == null ? Cases.NONE : JUnitReport.cases(diff, failOn, notes());
    tests = steps.tests();
    failures = steps.failures();
    errors = steps.errors();
    skipped = steps.skipped();
    recording();
    for (ReplayDivergence divergence : report.divergences()) {
      if (divergence.comparison() == null || diff == null) {
        testCase(divergence);
      }
    }
    verdict();
    String totals = "tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"%s\""
        .formatted(
            tests,
            failures,
            errors,
            skipped,
            JUnitReport.seconds(report.duration().toMillis()));
    String session =
        report.sessionId() == null ? report.recording().toString() : report.sessionId();
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        + "<testsuites name=\"replay run\" %s>\n".formatted(totals)
        + "<testsuite name=\"%s\" %s>\n"
            .formatted(JUnitReport.escape(JUnitReport.name(session)), totals)
        + "<properties>\n"
        + JUnitReport.property("verdict", report.verdict().id())
        + JUnitReport.property("mode", report.mode().id())
        + JUnitReport.property("replay", PlainText.of(report.headline()))
        + JUnitReport.property("exchanges", RunWording.exchanges(report))
        + JUnitReport.property("requests", RunWording.requests(report))
        + JUnitReport.property("divergences", RunWording.divergences(report))
        + JUnitReport.property("accepted", RunWording.accepted(report))
        + JUnitReport.property(
            "isolation", PlainText.of(String.join("; ", RunWording.isolation(report))))
        + "</properties>\n"
        + steps.xml()
        + cases
        + "</testsuite>\n</testsuites>\n";
  }

  /** The knowledge of the report of the replay about the divergences of the comparison. */
  private JUnitReport.Notes notes() {
    RunDivergences numbers = new RunDivergences(report);
    return new JUnitReport.Notes() {
      private @Nullable ReplayDivergence listed(Divergence compared) {
        int number = numbers.number(compared.number());
        return number < 0 ? null : report.divergences().get(number);
      }

      @Override
      public int number(int compared) {
        return numbers.number(compared);
      }

      @Override
      public String kind(Divergence compared) {
        ReplayDivergence divergence = listed(compared);
        return divergence == null ? compared.kind().id() : divergence.kind();
      }

      @Override
      public @Nullable String message(Divergence compared) {
        ReplayDivergence divergence = listed(compared);
        return divergence == null || divergence.kind().equals(compared.kind().id())
            ? null
            : RunDivergences.plainLines(divergence).stream().findFirst().orElse(null);
      }

      @Override
      public String text(Divergence compared) {
        ReplayDivergence divergence = listed(compared);
        return divergence == null || !RunDivergences.isExplained(divergence)
            ? ""
            : String.join("\n", RunDivergences.plainLines(divergence)) + "\n";
      }

      @Override
      public boolean isError(Divergence compared) {
        ReplayDivergence divergence = listed(compared);
        return divergence != null && divergence.notExecuted() != null;
      }
    };
  }

  /** The verification of the recording, which fails if it is not valid. */
  private void recording() {
    tests++;
    cases.append("<testcase classname=\"replay.recording\" name=\"the recording is valid\"");
    String fault = RunWording.fault(report);
    if (fault == null) {
      cases.append("/>\n");
      return;
    }
    failures++;
    cases.append(">\n<failure type=\"%s\" message=\"%s\">%s</failure>\n</testcase>\n"
        .formatted(
            report.verification().verdict().name(),
            JUnitReport.escape(JUnitReport.name(fault)),
            JUnitReport.escape(String.join("\n", RunWording.findings(report)))));
  }

  /** A divergence that no step of the comparison has. */
  private void testCase(ReplayDivergence divergence) {
    tests++;
    List<String> lines = RunDivergences.plainLines(divergence);
    String message = lines.isEmpty() ? "" : lines.get(0);
    String place = RunDivergences.place(divergence);
    cases.append("<testcase classname=\"replay.exchange\" name=\"%s\" time=\"0.000\">\n"
        .formatted(JUnitReport.escape(JUnitReport.name(
            divergence.kind() + (place.isEmpty() ? "" : " " + place) + ": " + message))));
    String text = JUnitReport.escape(String.join("\n", lines));
    if (divergence.severity().compareTo(failOn) < 0) {
      cases.append("<system-out>%s</system-out>\n".formatted(text));
    } else {
      boolean isError = divergence.notExecuted() != null;
      errors += isError ? 1 : 0;
      failures += isError ? 0 : 1;
      String element = isError ? "error" : "failure";
      cases.append("<%1$s type=\"%2$s\" message=\"%3$s (%4$s)\">%5$s</%1$s>\n"
          .formatted(
              element,
              JUnitReport.escape(divergence.kind()),
              JUnitReport.escape(JUnitReport.name(message)),
              divergence.severity().id(),
              text));
    }
    cases.append("</testcase>\n");
  }

  /** The verdict, which is an error if the replay does not show what it should. */
  private void verdict() {
    tests++;
    cases.append("<testcase classname=\"replay.run\" name=\"the replay is complete\" time=\"%s\""
        .formatted(JUnitReport.seconds(report.duration().toMillis())));
    List<String> reasons = RunWording.reasons(report);
    boolean isComplete = report.isIdentical()
        || (report.verdict() == ReplayVerdict.DIVERGED
            && report.incomplete().isEmpty()
            && (reasons.isEmpty() || failures + errors > 0));
    if (isComplete) {
      cases.append("/>\n");
      return;
    }
    errors++;
    cases.append(">\n<error type=\"%s\" message=\"%s\">%s</error>\n</testcase>\n"
        .formatted(
            report.verdict().name(),
            JUnitReport.escape(
                JUnitReport.name(reasons.isEmpty() ? report.headline() : reasons.get(0))),
            JUnitReport.escape(
                String.join("\n", reasons.stream().map(PlainText::of).toList()))));
  }
}
