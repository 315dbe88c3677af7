package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.DiffSummary;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.Sides;
import dev.agentreplay.engine.diff.Step;
import dev.agentreplay.engine.diff.StepCounts;
import dev.agentreplay.engine.diff.StepKind;
import dev.agentreplay.engine.diff.rule.Closeness;
import dev.agentreplay.model.text.PlainText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The words of reports for people. Text that was recorded, or could be taken for a link to an
 * issue, is handed to a function that writes it as the report needs it.
 */
final class Wording {

  private Wording() {}

  /** A number with its thousands apart. */
  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** Where the sessions part, and in what, as in {@code " at call #3: …"}; empty if unknown. */
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
   * How many divergences there are of which severity, and which is the first of the worst, if that
   * is graver than where the sessions part; empty when there is only one.
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
        : "%s; the first %s one: %s, at %s"
            .formatted(totals, worst.severity().id(), what(worst, name), name.apply(where(worst)));
  }

  /** How alike the sessions are; 100 % only when it is all of it. */
  static String similarity(SessionDiff diff) {
    return String.format(Locale.ROOT, "%.1f %% alike", Math.floor(diff.similarity() * 10) / 10);
  }

  /** A step by its place: its number for a call, its line for another. */
  static String where(Step step) {
    return step.call() != null ? "call #" + step.call() : "line " + step.line();
  }

  /** Where a divergence is: the number of a call, else the line of the event that differs. */
  static String where(Divergence divergence) {
    Step step = divergence.step();
    Sides<Long> lines = divergence.lines();
    Long line = divergence.left() != null ? lines.left() : lines.right();
    return step.call() != null || line == null ? where(step) : "line " + line;
  }

  /**
   * A step by all that tells its place: the number of a call, and the line that differs.
   *
   * @param call stands before the number of a call
   */
  static String place(Divergence divergence, boolean isLeft, String call) {
    Step step = isLeft ? divergence.left() : divergence.right();
    Sides<Long> lines = divergence.lines();
    Long line = isLeft ? lines.left() : lines.right();
    String where = line == null ? "no line" : "line " + line;
    return step == null || step.call() == null ? where : call + step.call() + ", " + where;
  }

  /** What happened, in words. */
  static String what(Divergence divergence, UnaryOperator<String> name) {
    Step step = divergence.step();
    String subject = subject(step, name);
    return switch (divergence.kind()) {
      case MISSING -> subject + " is missing";
      case ADDED -> subject + " was added";
      case MOVED ->
        divergence.size() == 1
            ? subject + " stands elsewhere"
            : "%s from %s on stand elsewhere"
                .formatted(PlainText.count(divergence.size(), "step"), subject);
      case TOOL ->
        "%s called instead of %s"
            .formatted(
                divergence.right() == null ? "another tool" : subject(divergence.right(), name),
                subject);
      case PARAMS -> subject + " called with other parameters";
      case PROMPT -> subject + " asked something else";
      case OUTCOME -> outcome(subject, divergence.left(), divergence.right());
      case OUTPUT -> subject + " returned something else";
      case RESPONSE -> subject + " answered something else";
      case FILE_STATE -> subject + " has another state";
      case VERIFICATION -> "the work was verified otherwise";
      case STEP -> subject + " went otherwise";
      case PLAN -> "the plan is another one";
      case START -> "the session was started for something else";
      case SETTINGS -> "the settings are others";
      case PAYMENT -> "another payment was made";
      case RUNTIME_EVENT -> subject + ", an event of the runtime, is another";
      case END -> "the session ended otherwise";
      case ASSESSMENT -> subject + " is assessed otherwise";
      case OTHER -> subject + " differs in members that are not known";
      case IDENTITY -> subject + " has another id";
      case TIMING -> subject + " took another time";
    };
  }

  private static String outcome(String subject, @Nullable Step left, @Nullable Step right) {
    boolean isAnswered =
        left != null && (left.kind() == StepKind.CALL || left.kind() == StepKind.TURN);
    if (!isAnswered) {
      return subject + " had another outcome";
    }
    if (left == null || right == null || left.succeeded() == right.succeeded()) {
      return subject + " failed in another way";
    }
    return subject + (left.succeeded() ? " failed now" : " succeeded now");
  }

  private static String subject(Step step, UnaryOperator<String> name) {
    boolean isNamed = step.kind() == StepKind.CALL
        || step.kind() == StepKind.TURN
        || step.kind() == StepKind.FILE_STATE;
    return isNamed ? name.apply(step.name()) : name.apply(step.name()) + " at line " + step.line();
  }

  /** The role of a divergence; divergences are numbered from 1 for people. */
  static String role(Divergence divergence) {
    Integer from = divergence.cause().divergence();
    return from == null ? divergence.role().id() : "follows from " + (from + 1);
  }

  /** What follows from a divergence; empty when nothing does. */
  static String followers(Divergence divergence) {
    int followers = divergence.cause().followers();
    return followers == 0
        ? ""
        : "%s from it"
            .formatted(PlainText.count(followers, "divergence")
                + (followers == 1 ? " follows" : " follow"));
  }

  /** The sum of the steps of one session, as in {@code 14 calls = 12 equal + 2 missing}. */
  static String sum(StepCounts counts, boolean isLeft, String noun) {
    int all = isLeft ? counts.left() : counts.right();
    if (all == 0) {
      return "no " + noun + "s";
    }
    List<String> parts = new ArrayList<>();
    if (counts.matched() > 0) {
      parts.add(count(counts.matched()) + " equal");
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
    return PlainText.count(all, noun) + " = " + String.join(" + ", parts);
  }

  /** What was not compared; empty when everything was. */
  static String notCompared(DiffSummary summary) {
    List<String> parts = new ArrayList<>();
    if (summary.identities() > 0) {
      parts.add("ids differ in " + PlainText.count(summary.identities(), "pair"));
    }
    if (summary.timings() > 0) {
      parts.add("times differ in " + PlainText.count(summary.timings(), "pair"));
    }
    if (summary.ignoredCalls() > 0) {
      parts.add(PlainText.count(summary.ignoredCalls(), "call") + " of tools that are ignored");
    }
    return parts.isEmpty() ? "" : "not compared: " + String.join(", ", parts);
  }

  /** Why two values count as close. */
  static String closeness(Closeness closeness) {
    Double similarity = closeness.similarity();
    String text = "close by " + closeness.rule();
    if (similarity != null) {
      text += String.format(Locale.ROOT, ", %.1f %% alike", Math.floor(similarity * 1000) / 10);
    }
    return closeness.reason() == null ? text : text + ": " + closeness.reason();
  }

  /** How many divergences there are, by severity, the worst first. */
  static String severities(DiffSummary summary) {
    List<String> parts = new ArrayList<>();
    summary
        .divergencesBySeverity()
        .forEach((severity, n) -> parts.add(0, count(n) + " " + severity.id()));
    return String.join(", ", parts);
  }

  /** A step on one line: its number, its name, what it is about. */
  static String line(Step step) {
    String number = step.call() == null ? "" : "#" + step.call() + " ";
    return number + step.name() + "  " + step.summary();
  }
}
