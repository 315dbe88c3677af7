package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.AlignedStep;
import dev.agentreplay.engine.diff.AlignedStep.Relation;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.Step;
import dev.agentreplay.engine.replay.ReplayRefusedException;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.model.text.PlainText;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Renders comparisons and replays as JUnit XML for build servers. Each step is a test case; a step
 * that diverges with at least a given severity, by default that of the options, is a failure that
 * shows the difference. A less severe divergence is shown in the output of a test case that passes.
 *
 * <p>A step whose divergence is not listed is also a failure, since its severity is unknown.
 */
public final class JUnitReport {

  private static final int NAME = 200;

  private final SessionDiff diff;
  private final DivergenceSeverity failOn;

  /** The knowledge of the replay; null if two recordings are compared. */
  private final @Nullable Notes notes;

  private final DivergenceText text;
  private final DivergenceContext context;
  private final Map<Integer, Divergence> divergences = new HashMap<>();
  private final StringBuilder cases = new StringBuilder();
  private int failures;
  private int errors;
  private int skipped;
  private long millis;

  private JUnitReport(SessionDiff diff, DivergenceSeverity failOn, @Nullable Notes notes) {
    this.notes = notes;
    this.diff = diff;
    this.failOn = failOn;
    this.text = notes == null
        ? new DivergenceText(TextOptions.defaults(), diff)
        : new DivergenceText(TextOptions.defaults(), diff, notes::number);
    this.context = new DivergenceContext(diff);
    diff.divergences().forEach(divergence -> divergences.put(divergence.number(), divergence));
  }

  /**
   * Renders a comparison as an XML document. Divergences that are at least as severe as
   * {@link SessionDiff#failOn} are failures.
   */
  public static String render(SessionDiff diff) {
    return render(diff, diff.failOn());
  }

  /**
   * Renders a comparison as an XML document.
   *
   * @param failOn the lowest severity that makes a divergence a failure
   */
  public static String render(SessionDiff diff, DivergenceSeverity failOn) {
    return new JUnitReport(diff, Objects.requireNonNull(failOn, "failOn"), null).render();
  }

  /**
   * Renders the report of a replay as an XML document, as {@link #render(ReplayReport,
   * DivergenceSeverity)} does. Divergences that are at least as severe as
   * {@link ReplayReport#failOn} are failures.
   */
  public static String render(ReplayReport report) {
    return render(report, report.failOn());
  }

  /**
   * Renders the report of a replay as an XML document: the steps of its comparison, then each
   * divergence that only its ledger has, then the verdict.
   *
   * @param failOn the lowest severity that makes a divergence a failure
   */
  public static String render(ReplayReport report, DivergenceSeverity failOn) {
    return new RunJUnit(
            Objects.requireNonNull(report, "report"), Objects.requireNonNull(failOn, "failOn"))
        .render();
  }

  /**
   * Renders the refusal of a replay, of which nothing ran, as an XML document with one error.
   *
   * @param recording the name of the recording
   */
  public static String refused(String recording, ReplayRefusedException refusal) {
    String message = String.valueOf(refusal.getMessage());
    String totals = "tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"0.000\"";
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        + "<testsuites name=\"replay run\" %s>\n".formatted(totals)
        + "<testsuite name=\"%s\" %s>\n".formatted(escape(name(recording)), totals)
        + "<testcase classname=\"replay.run\" name=\"the replay is complete\">\n"
        + "<error type=\"%s\" message=\"%s\">%s</error>\n"
            .formatted(
                refusal.reason().name(), escape(name(message)), escape(PlainText.of(message)))
        + "</testcase>\n</testsuite>\n</testsuites>\n";
  }

  /** The knowledge of a replay that its comparison does not have. */
  interface Notes {

    /** The number from 0 in the report for a number in the comparison; negative if not listed. */
    int number(int compared);

    /** The kind of a divergence. */
    String kind(Divergence divergence);

    /** A divergence in one sentence; null for that of the comparison. */
    @Nullable
    String message(Divergence divergence);

    /** The text that follows its difference. */
    String text(Divergence divergence);

    /** Whether it shows nothing about the session, so that its test case is an error. */
    boolean isError(Divergence divergence);
  }

  /**
   * The test cases of a comparison.
   *
   * @param xml the elements
   * @param tests the number of test cases
   * @param failures the number of those that fail
   * @param errors the number of those that show nothing
   * @param skipped the number of those that were not reached, or are not compared
   */
  record Cases(String xml, int tests, int failures, int errors, int skipped) {

    /** No test cases. */
    static final Cases NONE = new Cases("", 0, 0, 0, 0);
  }

  /**
   * Renders the test cases of the comparison of a replay. They state no times, because the latency
   * of a served call is the recorded one.
   */
  static Cases cases(SessionDiff diff, DivergenceSeverity failOn, Notes notes) {
    JUnitReport report = new JUnitReport(diff, failOn, notes);
    diff.alignment().forEach(report::testCase);
    return new Cases(
        report.cases.toString(),
        diff.alignment().size(),
        report.failures,
        report.errors,
        report.skipped);
  }

  private String render() {
    diff.alignment().forEach(this::testCase);
    String totals = "tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"0\" time=\"%s\""
        .formatted(diff.alignment().size(), failures, seconds(millis));
    String verdict = diff.isIdentical()
        ? Wording.identical(diff)
        : "diverged" + Wording.parting(diff, JUnitReport::name);
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        + "<testsuites name=\"replay diff\" %s>\n".formatted(totals)
        + "<testsuite name=\"%s, %s\" %s>\n"
            .formatted(
                escape(name(diff.left().name())), escape(name(diff.right().name())), totals)
        + "<properties>\n"
        + property("verdict", verdict)
        + property("divergences", Wording.severities(diff.summary()))
        + property(
            "accepted",
            diff.accepted().isEmpty() ? "" : Wording.count(diff.accepted().size()))
        + property("similarity", Wording.percent(diff))
        + property("not_compared", Wording.notCompared(diff))
        + "</properties>\n"
        + cases
        + "</testsuite>\n</testsuites>\n";
  }

  static String property(String name, String value) {
    return value.isEmpty()
        ? ""
        : "<property name=\"%s\" value=\"%s\"/>\n".formatted(name, escape(value));
  }

  private void testCase(AlignedStep pair) {
    cases.append("<testcase classname=\"replay.%s\" name=\"%s\"%s"
        .formatted(pair.step().kind().id(), escape(title(pair)), notes == null ? time(pair) : ""));
    Integer number = pair.divergence();
    // of a pair that matches, an unlisted divergence has the severity none
    boolean isUnlisted = number != null && !divergences.containsKey(number);
    boolean matches = number == null || (isUnlisted && failOn != DivergenceSeverity.NONE);
    if (matches && pair.relation() == Relation.MATCHED) {
      cases.append("/>\n");
      return;
    }
    cases.append(">\n");
    divergent(number == null ? null : divergences.get(number), pair.relation());
    cases.append("</testcase>\n");
  }

  /** The attribute with the latency of a step, which is added to the sum. */
  private String time(AlignedStep pair) {
    Step timed = pair.right() != null ? pair.right() : pair.step();
    Long latency = timed.latencyMillis();
    millis += latency == null ? 0 : latency;
    return " time=\"%s\"".formatted(seconds(latency));
  }

  private void divergent(@Nullable Divergence divergence, Relation relation) {
    if (divergence == null) {
      failures++;
      cases.append(
          ("<failure type=\"%s\" message=\"divergence not listed: the limit of listed divergences"
                  + " is reached\"/>\n")
              .formatted(relation.name()));
    } else if (isSkipped(divergence, relation)) {
      skipped++;
      cases.append("<skipped message=\"%s\"/>\n"
          .formatted(escape(name(divergence.rating().rule()))));
    } else if (divergence.severity().compareTo(failOn) < 0) {
      cases.append("<system-out>%s</system-out>\n".formatted(escape(block(divergence))));
    } else {
      boolean isError = notes != null && notes.isError(divergence);
      errors += isError ? 1 : 0;
      failures += isError ? 0 : 1;
      String element = isError ? "error" : "failure";
      String message = notes == null ? null : notes.message(divergence);
      String what = message == null ? Wording.what(divergence, JUnitReport::name) : name(message);
      cases.append("<%1$s type=\"%2$s\" message=\"%3$s (%4$s)\">%5$s</%1$s>\n"
          .formatted(
              element,
              kind(divergence),
              escape(lane(divergence.step()) + what),
              divergence.severity().id(),
              escape(block(divergence) + (notes == null ? "" : notes.text(divergence)))));
    }
  }

  /** Whether a replay did not reach a recorded step, or does not compare it. */
  private boolean isSkipped(Divergence divergence, Relation relation) {
    return notes != null
        && relation == Relation.MISSING
        && divergence.severity() == DivergenceSeverity.NONE;
  }

  private String kind(Divergence divergence) {
    return notes == null ? divergence.kind().id() : notes.kind(divergence);
  }

  private String block(Divergence divergence) {
    return text.block(divergence, kind(divergence));
  }

  private String title(AlignedStep pair) {
    Step step = pair.step();
    String added = pair.left() == null ? " (added)" : "";
    return Wording.where(step) + " " + lane(step) + name(step.name()) + added;
  }

  /** The agent of a step in brackets, if there are several agents. */
  private String lane(Step step) {
    return PlainText.fit(context.lane(step), NAME);
  }

  static String name(String name) {
    return PlainText.fit(name, NAME);
  }

  static String seconds(@Nullable Long millis) {
    return String.format(Locale.ROOT, "%.3f", millis == null ? 0 : millis / 1000.0);
  }

  /** Escapes a text for XML. */
  static String escape(String text) {
    return XmlText.escape(text);
  }
}
