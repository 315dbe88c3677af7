package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.AppliedRule;
import dev.agentreplay.engine.diff.ComparedSession;
import dev.agentreplay.engine.diff.DiffSummary;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.StepCounts;
import dev.agentreplay.engine.diff.ToolCounts;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.text.PlainText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Renders the comparison of two sessions as text. */
final class DiffText {

  private static final int INDENT = 4;
  private static final int GAP = 2;

  private final TextOptions options;
  private final SessionDiff diff;
  private final DiffSummary summary;
  private final StringBuilder out = new StringBuilder();

  DiffText(TextOptions options, SessionDiff diff) {
    this.options = options;
    this.diff = diff;
    this.summary = diff.summary();
  }

  String render() {
    if (diff.isIdentical()) {
      identical();
    } else {
      verdict();
      sessions();
    }
    divergences();
    tools();
    footer();
    return out.toString();
  }

  private TextRow row() {
    return new TextRow(options);
  }

  private void identical() {
    StepCounts others = summary.others();
    out.append(row()
        .add(Paint.GOOD, Wording.identical(diff))
        .add("  " + PlainText.count(summary.calls().left(), "call"))
        .add(others.left() == 0 ? "" : ", " + PlainText.count(others.left(), "other step")));
  }

  private void verdict() {
    String text = "diverged" + Wording.parting(diff, this::name);
    String similarity = Wording.similarity(diff);
    Divergence cause = diff.cause();
    Paint paint = cause == null ? Paint.MAJOR : Paint.of(cause.severity());
    TextRow row = row().add(paint, text);
    String separator = " · ";
    if (row.left() < separator.length() + similarity.length()) {
      out.append(row);
      row = row();
      separator = "  ";
    }
    row.add(separator + similarity);
    out.append(row);
    String totals = Wording.totals(diff, this::name);
    if (!totals.isEmpty()) {
      out.append(row().add("  " + totals));
    }
    out.append('\n');
  }

  private void sessions() {
    List<String> left = sums(diff.left(), true);
    List<String> right = sums(diff.right(), false);
    int longest =
        Stream.concat(left.stream(), right.stream()).mapToInt(String::length).reduce(0, Math::max);
    int nameWidth =
        Math.max(shortName(diff.left()).length(), shortName(diff.right()).length());
    boolean beside = INDENT + nameWidth + GAP + longest <= options.width();
    session(Paint.REMOVED, "-", diff.left(), left, beside ? nameWidth : 0);
    session(Paint.ADDED, "+", diff.right(), right, beside ? nameWidth : 0);
  }

  /** Adds a session with its counts, next to its name or below it. */
  private void session(
      Paint paint, String sign, ComparedSession session, List<String> sums, int nameWidth) {
    String name = PlainText.fitEnd(shortName(session), options.width() - INDENT);
    TextRow row = row().add(paint, "  " + sign + " ").pad(Paint.BOLD, name, nameWidth);
    String before = " ".repeat(INDENT + (nameWidth == 0 ? 0 : nameWidth + GAP));
    for (int i = 0; i < sums.size(); i++) {
      if (i == 0 && nameWidth > 0) {
        row.add(" ".repeat(GAP) + sums.get(i));
      } else {
        out.append(row);
        row = row().add(before + sums.get(i));
      }
    }
    out.append(row);
  }

  private List<String> sums(ComparedSession session, boolean isLeft) {
    List<String> sums = new ArrayList<>();
    sums.add(Wording.sum(summary.calls(), isLeft, "call") + took(session));
    StepCounts others = summary.others();
    if (others.divergent() > 0) {
      sums.add(Wording.sum(others, isLeft, "other step"));
    }
    return sums;
  }

  /** The name of a session, without the file name of a log in a session directory. */
  private static String shortName(ComparedSession session) {
    String name = session.name();
    String log = "/" + Session.LOG_NAME;
    return name.endsWith(log) && name.length() > log.length()
        ? name.substring(0, name.length() - log.length())
        : name;
  }

  private static String took(ComparedSession session) {
    return session.latencyMillis() == 0
        ? ""
        : "; %s ms".formatted(Wording.count(session.latencyMillis()));
  }

  private void divergences() {
    DivergenceText text = new DivergenceText(options, diff);
    boolean wasBlock = true;
    List<Divergence> listed = listed();
    for (Divergence divergence : listed) {
      boolean isBlock = options.full() || divergence.role() != Divergence.Role.DOWNSTREAM;
      if (isBlock || wasBlock) {
        out.append('\n');
      }
      out.append(isBlock ? text.block(divergence) : text.line(divergence));
      wasBlock = isBlock;
    }
    int accepted = options.full() ? 0 : diff.accepted().size();
    int more = summary.divergences() - listed.size();
    if (more > 0 && more == unlisted()) {
      noneListed(more - accepted, accepted);
    } else if (more > 0) {
      out.append('\n')
          .append(row()
              .add("  %s more, not listed; total: %s"
                  .formatted(Wording.count(more), Wording.severities(summary))));
    }
  }

  private void noneListed(int none, int accepted) {
    List<String> parts = new ArrayList<>();
    if (accepted > 0) {
      parts.add(Wording.count(accepted) + " accepted");
    }
    if (none > 0) {
      parts.add(Wording.count(none) + " of the severity none");
    }
    String text = "  %s, not listed".formatted(String.join(", ", parts));
    out.append('\n').append(row().add(accepted > 0 ? text + "; --full lists them" : text));
  }

  /** The number of divergences that are not listed because they do not matter. */
  private int unlisted() {
    return options.full()
        ? 0
        : summary.divergencesBySeverity().getOrDefault(DivergenceSeverity.NONE, 0);
  }

  /**
   * The divergences in the order of the sessions, those that do not matter only in full; if there
   * are too many, the root cause first, then independent and downstream ones, and last those.
   */
  private List<Divergence> listed() {
    List<Divergence> all = diff.divergences().stream()
        .filter(each -> options.full() || each.severity() != DivergenceSeverity.NONE)
        .toList();
    return all.size() <= options.maxDivergences()
        ? all
        : all.stream()
            .sorted(Comparator.comparing(DiffText::rank))
            .limit(options.maxDivergences())
            .toList();
  }

  private static int rank(Divergence divergence) {
    if (divergence.severity() == DivergenceSeverity.NONE) {
      return Integer.MAX_VALUE;
    }
    return switch (divergence.role()) {
      case ROOT -> 0;
      case INDEPENDENT -> 1;
      case DOWNSTREAM -> 2;
    };
  }

  private void tools() {
    Map<String, ToolCounts> different = new TreeMap<>(summary.byTool());
    different
        .values()
        .removeIf(
            counts -> counts.matched() == counts.left() && counts.matched() == counts.right());
    if (!different.isEmpty()) {
      out.append('\n').append(new ToolTable(options, different).render());
    }
  }

  private void footer() {
    String notCompared = Wording.notCompared(diff);
    if (notCompared.isEmpty() && diff.rules().isEmpty()) {
      return;
    }
    if (!diff.isIdentical()) {
      out.append('\n');
    }
    if (!diff.rules().isEmpty()) {
      rules("  rules: ", rule -> rule.left() + rule.right() > 0);
      rules("  rules that matched nothing: ", rule -> rule.left() + rule.right() == 0);
    }
    if (!notCompared.isEmpty()) {
      out.append(row().add(Paint.DIM, "  (" + notCompared + ")"));
    }
  }

  private void rules(String label, Predicate<AppliedRule> which) {
    String line = label;
    String separator = "";
    for (AppliedRule rule : diff.rules()) {
      if (!which.test(rule)) {
        continue;
      }
      String next = separator + rule(rule);
      if (!separator.isEmpty() && line.length() + next.length() + 1 > options.width()) {
        out.append(row().add(line + ";"));
        line = " ".repeat(label.indexOf(':')) + rule(rule);
      } else {
        line += next;
      }
      separator = "; ";
    }
    if (!separator.isEmpty()) {
      out.append(row().add(line));
    }
  }

  private static String rule(AppliedRule rule) {
    return rule.left() + rule.right() == 0
        ? rule.rule()
        : "%s at %s and %s places"
            .formatted(rule.rule(), Wording.count(rule.left()), Wording.count(rule.right()));
  }

  private String name(String name) {
    return PlainText.fit(name, options.width() / 4);
  }
}
