package dev.agentreplay.junit;

import dev.agentreplay.engine.agreement.FlakinessReport;
import dev.agentreplay.engine.agreement.StepStability;
import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.StepKind;
import dev.agentreplay.engine.report.TextReport;
import dev.agentreplay.engine.view.SessionView;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.junit.accepted.RecordingAcceptance;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on several runs of one agent, created by {@link ReplayAssertions#assertThatRuns}. The
 * first run is the one with which the others are compared, step by step, as {@code replay diff}
 * does with several sessions. A failure message has the report of the comparison, with the steps
 * that are flaky, unstable or different in all runs, and the differences of the first run that does
 * not agree. The rules of a file {@link dev.agentreplay.engine.rules.RulesFile replay.rules} apply,
 * too: of one in the folder of recordings, and of those that apply to a test of the first run as a
 * recording ({@link SessionAssert#matches(Session, DiffOptions)}). Each assertion reads the logs
 * again. It fails if a log cannot be read, ends after the start of its session, or has a gap, that
 * is, if it states that events were not recorded.
 *
 * <p>Not final, because AssertJ creates subclasses for soft assertions; not intended for other
 * subclasses.
 */
public class RunsAssert extends AbstractAssert<RunsAssert, List<Session>> {

  /** Of unlisted divergences it is not known whether they matter. */
  private static final int LISTED = 10_000;

  private static final double ROUNDING = 1e-9;

  /** The comparisons of the first run with each other one, and what applied to them. */
  private record Comparison(
      List<SessionDiff> diffs, RecordingRules rules, RecordingAcceptance accepted) {}

  /** Creates assertions; called by AssertJ. */
  public RunsAssert(@Nullable List<Session> actual) {
    super(actual, RunsAssert.class);
  }

  /**
   * Verifies that all runs agree with the first one: exactly, unless a file {@code replay.rules}
   * applies. The same as {@link #agree(DiffOptions)} with {@link DiffOptions#defaults()}.
   */
  public RunsAssert agree() {
    return agree(DiffOptions.defaults());
  }

  /**
   * Verifies that all runs agree with the first one: the comparison of each with it passes, that
   * is, no divergence is as severe as {@link DiffOptions#failOn}.
   *
   * @throws IllegalArgumentException if there are fewer than two runs, or one of them twice
   */
  public RunsAssert agree(DiffOptions options) {
    Comparison comparison = compare(options);
    if (!comparison.diffs().stream().allMatch(SessionDiff::passes)) {
      throw error("the runs do not agree", comparison);
    }
    requireUsed(comparison);
    return this;
  }

  /**
   * Verifies the share of agreement of the runs, by {@link DiffOptions#defaults()}, as
   * {@link #agreeInAtLeast(double, DiffOptions)} does.
   *
   * @param share the lowest share, above 0.0 and at most 1.0
   */
  public RunsAssert agreeInAtLeast(double share) {
    return agreeInAtLeast(share, DiffOptions.defaults());
  }

  /**
   * Verifies the share of agreement of the runs: of all pairs of a tool or model call and a run
   * after the first one, the share in which that run agrees with the first one. Calls that only
   * some runs have count, too; other steps, such as the start and the end of the session, which
   * nearly always agree, do not. Fails if the runs have no calls.
   *
   * @param share the lowest share, above 0.0 and at most 1.0
   * @throws IllegalArgumentException if the share is not in that range, there are fewer than two
   *     runs, or one of them twice
   */
  public RunsAssert agreeInAtLeast(double share, DiffOptions options) {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("share must be above 0 and at most 1: " + share);
    }
    Comparison comparison = compare(options);
    List<StepStability> calls = calls(FlakinessReport.of(comparison.diffs()));
    if (calls.isEmpty()) {
      throw failure("%s", "the runs have no tool or model calls: how much they agree is not known");
    }
    if (share(calls, comparison.diffs().size()) < share - ROUNDING) {
      throw error(
          String.format(Locale.ROOT, "the runs agree too little, expected %.1f%%", 100 * share),
          comparison);
    }
    requireUsed(comparison);
    return this;
  }

  /** The tool and model calls among the steps of a report. */
  private static List<StepStability> calls(FlakinessReport report) {
    return report.steps().stream()
        .filter(step -> step.step().kind() == StepKind.CALL || step.step().kind() == StepKind.TURN)
        .toList();
  }

  private static double share(List<StepStability> calls, int runs) {
    long agreeing = calls.stream().mapToLong(StepStability::agreeing).sum();
    return (double) agreeing / ((long) calls.size() * runs);
  }

  private RecordingRules rules() {
    requireRuns();
    try {
      return RecordingRules.ofRuns(Acceptance.place(actual.get(0)));
    } catch (IOException e) {
      throw Failed.because(e, failure("%s", "the rules cannot be read: " + Shown.cause(e)));
    }
  }

  private void requireUsed(Comparison comparison) {
    String unused = comparison.accepted().passed(comparison.diffs());
    if (unused != null) {
      throw failure("%s", unused);
    }
  }

  private void requireRuns() {
    if (actual == null) { // in soft assertions isNotNull() does not throw
      throw failure("%nExpecting actual not to be null");
    }
    if (actual.size() < 2) {
      throw new IllegalArgumentException("expected at least two runs, found " + actual.size());
    }
  }

  private Comparison compare(DiffOptions own) {
    RecordingRules rules = rules();
    List<SessionDiff> diffs = new ArrayList<>();
    Session first = actual.get(0);
    try {
      requireWhole(first);
      RecordingAcceptance accepted =
          RecordingAcceptance.of(first, ReplaySettings.current().accepted());
      DiffOptions options = accepted.applyTo(rules.applyTo(own));
      int listed = Math.max(options.maxDivergences(), LISTED);
      for (int i = 1; i < actual.size(); i++) {
        Session run = actual.get(i);
        requireNew(run, actual.subList(0, i));
        requireWhole(run);
        diffs.add(SessionDiff.between(first, run, options.withMaxDivergences(listed))
            .withNames(name(first), name(run)));
      }
      return new Comparison(diffs, rules, accepted);
    } catch (IOException e) {
      throw Failed.because(e, failure("%s", Shown.unreadable(e)));
    }
  }

  private static void requireNew(Session run, List<Session> others) throws IOException {
    for (Session other : others) {
      if (Files.isSameFile(other.log(), run.log())) {
        throw new IllegalArgumentException("a run is given twice: " + run.log());
      }
    }
  }

  private void requireWhole(Session run) throws IOException {
    SessionView log = RecordedLog.read(run);
    String problem = log.isBlank()
        ? "nothing was recorded: the log ends after the start of the session"
        : RecordedLog.gap(log);
    if (problem != null) {
      throw failure("%s\nin %s", problem, Shown.path(run));
    }
  }

  private static String name(Session run) {
    return Acceptance.place(run).toString();
  }

  /** Creates a failure with the problem first. */
  private AssertionError error(String problem, Comparison comparison) {
    List<SessionDiff> diffs = comparison.diffs();
    FlakinessReport agreement = FlakinessReport.of(diffs);
    String report = TextReport.render(agreement);
    for (SessionDiff diff : diffs) {
      if (!diff.passes()) { // the first of them is enough to see what differs
        String text = TextReport.render(diff);
        report = diffs.size() == 1
            ? text
            : "%s\nrun %d: %s".formatted(report, diffs.indexOf(diff) + 1, text);
        break;
      }
    }
    List<StepStability> calls = calls(agreement);
    String share = calls.isEmpty()
        ? ""
        : ": %s%% agreement of %d runs in their calls"
            .formatted(
                // rounded down: 100.0% only if all agree
                Math.floor(share(calls, diffs.size()) * 1000) / 10, diffs.size() + 1);
    return failure(
        "%s%s\n%s%s%s",
        problem,
        share,
        report.stripTrailing(),
        comparison.rules().text(),
        comparison.accepted().text(diffs));
  }
}
