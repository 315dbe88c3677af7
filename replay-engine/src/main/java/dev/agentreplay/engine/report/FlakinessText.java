package dev.agentreplay.engine.report;

import dev.agentreplay.engine.agreement.FlakinessReport;
import dev.agentreplay.engine.agreement.Stability;
import dev.agentreplay.engine.agreement.StepStability;
import dev.agentreplay.engine.diff.ComparedSession;
import dev.agentreplay.engine.diff.Step;
import dev.agentreplay.engine.repeat.RepeatedReport;
import dev.agentreplay.engine.replay.ReplayDivergence;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.model.text.PlainText;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Renders the comparison of several runs with one session as text. */
final class FlakinessText {

  private static final int MAX_STEPS = 40;

  private static final String LEGEND =
      "  = matches the first session, - missing, same letter: same variant";

  /** The letters of variants; the last one is used for all further variants. */
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz?";

  private final TextOptions options;
  private final FlakinessReport agreement;
  private final StringBuilder out = new StringBuilder();

  /** Whether the runs can be compared again. */
  private boolean areKept = true;

  FlakinessText(TextOptions options, FlakinessReport agreement) {
    this.options = options;
    this.agreement = agreement;
  }

  /** The text of a repeated replay. */
  static String of(TextOptions options, RepeatedReport report) {
    FlakinessReport agreement = report.agreement();
    StringBuilder text = new StringBuilder();
    Paint paint = report.verdict() == RepeatedReport.Verdict.PASSED ? Paint.GOOD : Paint.MODERATE;
    text.append(new TextRow(options).add(paint, report.headline()));
    for (int i = 0; i < report.reports().size(); i++) {
      ReplayReport replay = report.reports().get(i);
      if (!replay.passes()) {
        text.append(new TextRow(options)
            .add("  %d  %s  %s".formatted(i + 1, replay.verdict().id(), reason(replay))));
      }
    }
    if (report.stopped() > 0) {
      text.append(new TextRow(options)
          .add(
              Paint.DIM,
              "  %s stopped early; below, steps that were not reached count as matches"
                  .formatted(PlainText.count(report.stopped(), "replay"))));
    }
    if (agreement == null) {
      return text.toString();
    }
    FlakinessText steps = new FlakinessText(options, agreement);
    steps.areKept = !report.sessions().isEmpty();
    return text.append('\n').append(steps.render()).toString();
  }

  private static String reason(ReplayReport report) {
    List<String> reasons = RunWording.reasons(report);
    ReplayDivergence root = report.root();
    String reason = root != null
        ? root.kind() + " " + root.message().lines().findFirst().orElse("")
        : reasons.isEmpty() ? "" : reasons.get(0);
    return PlainText.fit(reason, 200);
  }

  String render() {
    verdict();
    sessions();
    List<StepStability> unstable = agreement.unstable();
    if (!unstable.isEmpty()) {
      out.append('\n');
      table(unstable);
    }
    out.append('\n').append(row().add(Paint.DIM, "  " + counts()));
    if (!unstable.isEmpty()) {
      out.append(row().add(Paint.DIM, LEGEND));
      next();
    }
    return out.toString();
  }

  /** Adds the command that shows the differences of the first run that differs. */
  private void next() {
    StepStability cause = agreement.cause();
    if (cause == null || !areKept) {
      return;
    }
    for (int i = 0; i < cause.runs().size(); i++) {
      if (!cause.runs().get(i).agrees()) {
        String command = "  differences of run %d: replay diff %s %s"
            .formatted(
                i + 1,
                PlainText.of(agreement.left().name()),
                PlainText.of(agreement.runs().get(i).name()));
        if (command.length() > options.width()) {
          command = "  differences of run %d: replay diff with the first session and that run"
              .formatted(i + 1);
        }
        out.append(row().add(Paint.DIM, command));
        return;
      }
    }
  }

  private TextRow row() {
    return new TextRow(options);
  }

  private void verdict() {
    Stability verdict = agreement.verdict();
    StepStability cause = agreement.cause();
    String text = verdict.id();
    if (cause != null) {
      text += " at %s: %s".formatted(place(cause), what(cause));
    }
    out.append(row()
            .add(paint(verdict), text)
            .add(String.format(
                Locale.ROOT, " · %.1f%% agreement", Math.floor(agreement.agreement() * 10) / 10)))
        .append('\n');
  }

  private void sessions() {
    int number = Integer.toString(agreement.runs().size()).length();
    out.append(session(Paint.REMOVED, " ".repeat(number) + "-", agreement.left()));
    for (int i = 0; i < agreement.runs().size(); i++) {
      String run = String.format(Locale.ROOT, "%" + (number + 1) + "d", i + 1);
      out.append(session(Paint.ADDED, run, agreement.runs().get(i)));
    }
  }

  private TextRow session(Paint paint, String mark, ComparedSession session) {
    String events = "  " + PlainText.count(session.events(), "event");
    int room = options.width() - 3 - mark.length() - events.length();
    return row()
        .add(paint, "  " + mark + " ")
        .add(Paint.BOLD, PlainText.fitEnd(session.name(), room))
        .add(events);
  }

  private void table(List<StepStability> steps) {
    int listed = options.full() ? steps.size() : Math.min(steps.size(), MAX_STEPS);
    List<StepStability> shown = steps.subList(0, listed);
    int places = shown.stream().mapToInt(step -> place(step).length()).max().orElse(0);
    int longest =
        shown.stream().mapToInt(step -> step.step().name().length()).max().orElse(0);
    int names = Math.min(longest, options.width() / 3);
    for (StepStability step : shown) {
      Stability stability = step.stability();
      Paint paint = step.downstream() ? Paint.DIM : paint(stability);
      out.append(row()
          .add("  ")
          .pad(Paint.PLAIN, place(step), places + 2)
          .pad(Paint.NAME, PlainText.fit(step.step().name(), names), names + 2)
          .add("%d of %d match  ".formatted(step.agreeing(), step.runs().size()))
          .pad(paint, stability.id(), Stability.REGRESSION.id().length() + 2)
          .add(variants(step))
          .add(Paint.DIM, step.downstream() ? "  downstream" : ""));
    }
    if (listed < steps.size()) {
      out.append(row().add("  and %s more".formatted(Wording.count(steps.size() - listed))));
    }
  }

  /** The place of a step in the left session, else with a plus in the first run that has it. */
  private static String place(StepStability agreement) {
    Step step = agreement.step();
    String place = step.call() == null ? "line " + step.line() : "#" + step.call();
    return agreement.left() == null ? "+" + place : place;
  }

  /** One sign for each run: matched, missing, or the letter of its variant. */
  private static String variants(StepStability agreement) {
    return agreement.runs().stream()
        .map(run -> {
          if (run.agrees()) {
            return "=";
          }
          if (run.step() == null) {
            return "-";
          }
          int letter = Math.min(run.variant(), LETTERS.length());
          return LETTERS.substring(letter - 1, letter);
        })
        .collect(Collectors.joining(" "));
  }

  private String what(StepStability step) {
    int differing = step.runs().size() - step.agreeing();
    String text = "%s %s %s"
        .formatted(
            PlainText.fit(step.step().name(), options.width() / 4),
            verb(step),
            step.agreeing() == 0
                ? "all " + PlainText.count(differing, "run")
                : "%d of %s".formatted(differing, PlainText.count(step.runs().size(), "run")));
    return step.stability() == Stability.UNSTABLE
        ? "%s, %d variants".formatted(text, step.variants())
        : text;
  }

  private static String verb(StepStability step) {
    if (step.left() == null) {
      return "was added in";
    }
    boolean isMissing = step.runs().stream().allMatch(run -> run.agrees() || run.step() == null);
    return isMissing ? "is missing in" : "differs in";
  }

  private String counts() {
    String counts = agreement.counts().entrySet().stream()
        .map(entry -> Wording.count(entry.getValue()) + " " + entry.getKey().id())
        .collect(Collectors.joining(", "));
    return "%s: %s".formatted(PlainText.count(agreement.steps().size(), "step"), counts);
  }

  private static Paint paint(Stability stability) {
    return switch (stability) {
      case STABLE -> Paint.GOOD;
      case FLAKY -> Paint.MINOR;
      case UNSTABLE -> Paint.MODERATE;
      case REGRESSION -> Paint.MAJOR;
    };
  }
}
