package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.DiffSummary;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.Sides;
import dev.agentreplay.engine.diff.Step;
import dev.agentreplay.engine.diff.StepCounts;
import dev.agentreplay.engine.diff.StepKind;
import dev.agentreplay.engine.diff.ValueChange;
import dev.agentreplay.engine.diff.rule.Closeness;
import dev.agentreplay.model.text.PlainText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The phrases of reports for people. Recorded text, and text that could be taken for a link to an
 * issue, is passed to a function that quotes it for the format of the report.
 */
final class Wording {

  private static final int LONGEST_POLICY = 60;

  private Wording() {}

  /** A number with a comma between groups of thousands. */
  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** The point where the sessions diverge, as in {@code " at call #3: …"}; empty if unknown. */
  static String parting(SessionDiff diff, UnaryOperator<String> name) {
    Divergence cause = diff.cause();
    SessionDiff.First first = diff.first();
    if (cause != null) {
      return " at %s: %s (%s)"
          .formatted(
              name.apply(where(cause)), what(cause, name), cause.severity().id());
    }
    return first == null
        ? ""
        : " at %s (%s)"
            .formatted(name.apply("call #" + first.call()), first.kind().id());
  }

  /**
   * The number of divergences of each severity, and the first of the most severe ones if it is more
   * severe than the root cause; empty if there is only one divergence.
   */
  static String totals(SessionDiff diff, UnaryOperator<String> name) {
    Divergence cause = diff.cause();
    Divergence worst = diff.worst();
    if (cause == null || worst == null || diff.summary().divergences() == 1) {
      return "";
    }
    String totals = severities(diff.summary());
    return worst.severity() == cause.severity()
        ? totals
        : "%s; first %s divergence: %s, at %s"
            .formatted(totals, worst.severity().id(), what(worst, name), name.apply(where(worst)));
  }

  /** The similarity of the sessions in percent, rounded down: 100.0 only if nothing differs. */
  static String percent(SessionDiff diff) {
    return String.format(Locale.ROOT, "%.1f", Math.floor(diff.similarity() * 10) / 10);
  }

  static String similarity(SessionDiff diff) {
    return percent(diff) + "% similar";
  }

  /** The place of a step: the number of a call, the line of any other step. */
  static String where(Step step) {
    return step.call() != null ? "call #" + step.call() : "line " + step.line();
  }

  /** The place of a divergence: the number of a call, else the line of the event that differs. */
  static String where(Divergence divergence) {
    Step step = divergence.step();
    Sides<Long> lines = divergence.lines();
    Long line = divergence.left() != null ? lines.left() : lines.right();
    return step.call() != null || line == null ? where(step) : "line " + line;
  }

  /**
   * The full place of a step: the number of a call, and the line that differs.
   *
   * @param call the text before the number of a call
   */
  static String place(Divergence divergence, boolean isLeft, String call) {
    Step step = isLeft ? divergence.left() : divergence.right();
    Sides<Long> lines = divergence.lines();
    Long line = isLeft ? lines.left() : lines.right();
    String where = line == null ? "no line" : "line " + line;
    return step == null || step.call() == null ? where : call + step.call() + ", " + where;
  }

  /** A description of a divergence in words. */
  static String what(Divergence divergence, UnaryOperator<String> name) {
    Step step = divergence.step();
    String subject = subject(step, name);
    return switch (divergence.kind()) {
      case MISSING -> FileWording.single(step, subject) + " is missing";
      case ADDED -> FileWording.single(step, subject) + " was added";
      case MOVED ->
        divergence.size() == 1
            ? subject + " was moved"
            : "%s starting with %s were moved"
                .formatted(PlainText.count(divergence.size(), "step"), subject);
      case TOOL ->
        "%s called instead of %s"
            .formatted(
                divergence.right() == null ? "a different tool" : subject(divergence.right(), name),
                subject);
      case PARAMS -> subject + " called with different parameters";
      case PROMPT -> subject + " called with a different model, prompt or parameters";
      case OUTCOME -> outcome(subject, divergence.left(), divergence.right());
      case OUTPUT -> subject + " returned a different output";
      case RESPONSE -> subject + " gave a different response";
      case FILE_STATE -> FileWording.state(divergence, subject, name);
      case VERIFICATION -> "the verification of the work differs";
      case STEP -> subject + " differs";
      case PLAN -> "the plan differs";
      case START -> "the start of the session differs";
      case SETTINGS -> "the settings differ";
      case PAYMENT -> "the payment differs";
      case RUNTIME_EVENT -> subject + ", a runtime event, differs";
      case END -> "the session ended differently";
      case ASSESSMENT -> subject + " has a different assessment";
      case OTHER -> subject + " differs in unknown members";
      case IDENTITY -> subject + " has a different id";
      case TIMING -> subject + " has a different time or latency";
      case WITHHELD -> subject + " is not compared completely";
    };
  }

  private static String outcome(String subject, @Nullable Step left, @Nullable Step right) {
    boolean isAnswered =
        left != null && (left.kind() == StepKind.CALL || left.kind() == StepKind.TURN);
    if (!isAnswered) {
      return subject + " had a different outcome";
    }
    if (left == null || right == null || left.succeeded() == right.succeeded()) {
      return subject + " failed differently";
    }
    return subject + (left.succeeded() ? " now failed" : " now succeeded");
  }

  private static String subject(Step step, UnaryOperator<String> name) {
    boolean isNamed = step.kind() == StepKind.CALL
        || step.kind() == StepKind.TURN
        || step.kind() == StepKind.FILE_STATE;
    return isNamed ? name.apply(step.name()) : name.apply(step.name()) + " at line " + step.line();
  }

  /** The role of a divergence. In text reports divergences are numbered from 1. */
  static String role(Divergence divergence) {
    return role(divergence, IntUnaryOperator.identity());
  }

  /**
   * The role of a divergence in a report with numbers of its own.
   *
   * @param number returns the number from 0 in the report for that in the comparison; negative if
   *     the report does not list it
   */
  static String role(Divergence divergence, IntUnaryOperator number) {
    Integer from = divergence.cause().divergence();
    int cause = from == null ? -1 : number.applyAsInt(from);
    return cause < 0 ? divergence.role().id() : "follows from " + (cause + 1);
  }

  /** The number of downstream divergences of a divergence; empty if there are none. */
  static String followers(Divergence divergence) {
    int followers = divergence.cause().followers();
    return followers == 0
        ? ""
        : "%s from it"
            .formatted(PlainText.count(followers, "divergence")
                + (followers == 1 ? " follows" : " follow"));
  }

  /** The step counts of one session, as in {@code 14 calls: 12 matched, 2 missing}. */
  static String sum(StepCounts counts, boolean isLeft, String noun) {
    int all = isLeft ? counts.left() : counts.right();
    if (all == 0) {
      return "no " + noun + "s";
    }
    List<String> parts = new ArrayList<>();
    if (counts.matched() > 0) {
      parts.add(count(counts.matched()) + " matched");
    }
    if (counts.changed() > 0) {
      parts.add(count(counts.changed())
          + " changed"
          + (counts.moved() == 0 ? "" : " (%s moved)".formatted(count(counts.moved()))));
    }
    int alone = isLeft ? counts.missing() : counts.added();
    if (alone > 0) {
      parts.add(count(alone) + (isLeft ? " missing" : " added"));
    }
    return PlainText.count(all, noun) + ": " + String.join(", ", parts);
  }

  /** A summary of the values and differences that were not compared; empty if there are none. */
  static String notCompared(SessionDiff diff) {
    DiffSummary summary = diff.summary();
    List<String> parts = new ArrayList<>();
    if (isPartial(diff)) {
      parts.add(withheld(diff));
    }
    if (summary.identities() > 0) {
      parts.add("ids differ in " + PlainText.count(summary.identities(), "pair"));
    }
    if (summary.timings() > 0) {
      parts.add("times differ in " + PlainText.count(summary.timings(), "pair"));
    }
    if (summary.ignoredCalls() > 0) {
      parts.add(PlainText.count(summary.ignoredCalls(), "call") + " of ignored tools");
    }
    return parts.isEmpty() ? "" : "not compared: " + String.join(", ", parts);
  }

  /** Whether a published copy does not show values, so that equality is that of the others. */
  static boolean isPartial(SessionDiff diff) {
    return diff.summary().withheld() + diff.summary().replaced() > 0;
  }

  /** That some divergences are accepted, after the verdict; empty if none is. */
  static String accepted(long number) {
    return number == 0 ? "" : ", but " + count(number) + " accepted";
  }

  /** The verdict on identical sessions. */
  static String identical(SessionDiff diff) {
    return (isPartial(diff) ? "identical in what both show" : "identical")
        + accepted(diff.accepted().size());
  }

  /** The number of values that a published copy does not show, with its policy. */
  private static String withheld(SessionDiff diff) {
    DiffSummary summary = diff.summary();
    List<String> policies = Stream.of(diff.left().policy(), diff.right().policy())
        .filter(Objects::nonNull)
        .distinct()
        .map(policy -> PlainText.fit(policy, LONGEST_POLICY))
        .toList();
    String policy = (policies.size() == 1 ? " by policy " : " by the policies ")
        + String.join(" and ", policies);
    String replaced = count(summary.replaced()) + " replaced";
    if (summary.withheld() == 0) {
      return PlainText.count(summary.replaced(), "value") + " replaced" + policy;
    }
    return PlainText.count(summary.withheld(), "value")
        + " withheld"
        + policy
        + (summary.replaced() == 0 ? "" : ", " + replaced);
  }

  /** The reason why a value is not compared. */
  static String withheld(ValueChange.Withheld value) {
    List<String> reasons = Stream.of(value.left(), value.right())
        .filter(Objects::nonNull)
        .map(reason -> PlainText.fit(
            reason.rule() == null
                ? "withheld by policy " + reason.policy()
                : "replaced by rule %s of policy %s".formatted(reason.rule(), reason.policy()),
            2 * LONGEST_POLICY))
        .distinct()
        .toList();
    return String.join(", and ", reasons);
  }

  /** The rule by which two values are close, with their similarity. */
  static String closeness(Closeness closeness) {
    Double similarity = closeness.similarity();
    String text = "close by " + closeness.rule();
    if (similarity != null) {
      text += String.format(Locale.ROOT, ", %.1f%% similar", Math.floor(similarity * 1000) / 10);
    }
    return closeness.reason() == null ? text : text + ": " + closeness.reason();
  }

  /** The number of divergences of each severity, the most severe first. */
  static String severities(DiffSummary summary) {
    List<String> parts = new ArrayList<>();
    summary
        .divergencesBySeverity()
        .forEach((severity, n) -> parts.add(0, count(n) + " " + severity.id()));
    return String.join(", ", parts);
  }

  /** A step on one line: its number, name and summary. */
  static String line(Step step) {
    String number = step.call() == null ? "" : "#" + step.call() + " ";
    return number + step.name() + "  " + step.summary();
  }
}
