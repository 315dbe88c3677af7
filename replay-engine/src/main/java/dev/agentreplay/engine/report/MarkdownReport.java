package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.AppliedRule;
import dev.agentreplay.engine.diff.ComparedSession;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.StepCounts;
import dev.agentreplay.engine.diff.ValueChange;
import dev.agentreplay.engine.diff.ValueChange.Withheld;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.report.ChangeExcerpt.Limits;
import dev.agentreplay.model.text.PlainText;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Renders comparisons and replays as GitHub Flavored Markdown, for a comment on a pull request.
 *
 * <p>Recorded text is only placed in code spans and fenced blocks, so that it cannot create markup,
 * mention users or link to issues. A report has at most {@value #MAX_LENGTH} characters (GitHub
 * accepts 65,536) and states how much was omitted.
 */
public final class MarkdownReport {

  /** The maximum length of a report, in characters. */
  public static final int MAX_LENGTH = 60_000;

  private static final int MAX_ROWS = 50;
  private static final int MAX_PLACES = 3;
  private static final int MAX_RULES = 20;
  private static final int NAME = 60;

  /** The space reserved for the last line, which states how much was omitted. */
  private static final int RESERVE = 200;

  private static final Limits LIMITS = new Limits(40, 160);

  private final SessionDiff diff;
  private final DivergenceContext context;
  private final StringBuilder out = new StringBuilder();

  private MarkdownReport(SessionDiff diff) {
    this.diff = diff;
    this.context = new DivergenceContext(diff);
  }

  /**
   * Renders the report of a replay: counts, circumstances and divergences. Each line ends with a
   * line feed.
   */
  public static String render(ReplayReport report) {
    return new RunMarkdown(Objects.requireNonNull(report, "report")).render();
  }

  /** Renders a comparison. Each line ends with a line feed. */
  public static String render(SessionDiff diff) {
    return new MarkdownReport(diff).render();
  }

  private String render() {
    if (diff.isIdentical()) {
      String verdict = Wording.identical(diff);
      out.append("**")
          .append(verdict.substring(0, 1).toUpperCase(Locale.ROOT))
          .append(verdict.substring(1))
          .append("**");
    } else {
      out.append("**Diverged").append(Wording.parting(diff, MarkdownText::code)).append("** · ");
      out.append(Wording.similarity(diff));
    }
    String totals = Wording.totals(diff, MarkdownText::code);
    out.append(totals.isEmpty() ? "\n\n" : "\n\n" + totals + "\n\n");
    session("−", diff.left(), true);
    session("+", diff.right(), false);
    table();
    details();
    footer();
    return out.toString();
  }

  private void session(String sign, ComparedSession session, boolean isLeft) {
    out.append("- ").append(sign).append(' ');
    out.append(MarkdownText.code(PlainText.fitEnd(session.name(), 2 * NAME))).append(", ");
    out.append(Wording.sum(diff.summary().calls(), isLeft, "call"));
    StepCounts others = diff.summary().others();
    if (others.divergent() > 0) {
      out.append("; ").append(Wording.sum(others, isLeft, "other step"));
    }
    out.append('\n');
  }

  private void table() {
    List<Divergence> divergences = diff.divergences();
    if (divergences.isEmpty()) {
      return;
    }
    out.append("\n| | kind | severity | role | step | − | + | at |\n");
    out.append("|--:|---|---|---|---|---|---|---|\n");
    divergences.stream().limit(MAX_ROWS).forEach(this::row);
    int more = diff.summary().divergences() - Math.min(MAX_ROWS, divergences.size());
    if (more > 0) {
      out.append("\n%s more, not listed; total: %s\n"
          .formatted(Wording.count(more), Wording.severities(diff.summary())));
    }
  }

  private void row(Divergence divergence) {
    ValueChange first = divergence.firstChange();
    String at = first == null ? "" : MarkdownText.cell(PlainText.fit(first.pointer(), NAME));
    out.append("| %d | %s | %s | %s | %s | %s | %s | %s |\n"
        .formatted(
            divergence.number() + 1,
            divergence.kind().id(),
            divergence.accepted() == null ? divergence.severity().id() : "accepted",
            Wording.role(divergence),
            MarkdownText.cell(lane(divergence) + PlainText.fit(divergence.step().name(), NAME)),
            divergence.left() == null ? "" : Wording.place(divergence, true, "call "),
            divergence.right() == null ? "" : Wording.place(divergence, false, "call "),
            at));
  }

  /** The agent of a divergence in brackets, if there are several agents. */
  private String lane(Divergence divergence) {
    return PlainText.fit(context.lane(divergence.step()), NAME / 2);
  }

  private void details() {
    int shown = 0;
    for (Divergence divergence : diff.divergences()) {
      String block = block(divergence);
      if (out.length() + block.length() + RESERVE > MAX_LENGTH) {
        out.append("\n%s of %s shown: a report has at most %s characters.\n"
            .formatted(
                Wording.count(shown),
                PlainText.count(diff.divergences().size(), "divergence"),
                Wording.count(MAX_LENGTH)));
        return;
      }
      out.append(block);
      shown++;
    }
  }

  private String block(Divergence divergence) {
    // a summary is HTML and must not contain recorded text
    return "\n<details><summary>%d. %s, %s, %s</summary>\n\n"
            .formatted(
                divergence.number() + 1,
                divergence.kind().id(),
                divergence.severity().id(),
                Wording.role(divergence))
        + change(divergence)
        + "\n</details>\n";
  }

  /** Renders the change of a divergence, with the values that differ. */
  static String change(SessionDiff diff, Divergence divergence) {
    return new MarkdownReport(diff).change(divergence);
  }

  private String change(Divergence divergence) {
    StringBuilder block = new StringBuilder();
    // a line that begins with a code span might be parsed as a fence
    String lane = lane(divergence).strip();
    block.append("Change: ").append(lane.isEmpty() ? "" : MarkdownText.code(lane) + " ");
    block.append(Wording.what(divergence, MarkdownText::code));
    block
        .append(" (rule: ")
        .append(MarkdownText.code(PlainText.fit(divergence.rating().rule(), NAME)));
    String followers = Wording.followers(divergence);
    block.append(followers.isEmpty() ? "" : "; " + followers).append(")\n");
    List<ValueChange> values = divergence.values();
    if (values.isEmpty()) {
      block.append('\n').append(MarkdownText.fence(ChangeExcerpt.ofSteps(divergence, LIMITS)));
    }
    for (ValueChange value : values.subList(0, Math.min(values.size(), MAX_PLACES))) {
      block.append("\nat ").append(MarkdownText.code(PlainText.fit(value.pointer(), 2 * NAME)));
      if (value.closeness() != null) {
        String closeness = PlainText.fit(Wording.closeness(value.closeness()), 2 * NAME);
        block.append(", ").append(MarkdownText.code(closeness));
      }
      if (value.detail() instanceof Withheld withheld) {
        block.append(", ").append(MarkdownText.code(Wording.withheld(withheld)));
        if (!withheld.isReplaced()) {
          block.append('\n');
          continue;
        }
      }
      if (FileWording.areTexts(value)) {
        block.append(", the contents of the file");
      }
      String modes = FileWording.modes(value);
      block.append(
          modes == null
              ? "\n\n" + MarkdownText.fence(ChangeExcerpt.of(value, LIMITS))
              : ": " + MarkdownText.code(PlainText.fit(modes, NAME)) + "\n");
    }
    if (values.size() > MAX_PLACES) {
      int more = values.size() - MAX_PLACES;
      block.append("\nand at ").append(PlainText.count(more, "more place")).append('\n');
    }
    return block.toString();
  }

  private void footer() {
    StringBuilder footer = new StringBuilder();
    if (!diff.rules().isEmpty()) {
      String rules = diff.rules().stream()
          .limit(MAX_RULES)
          .map(AppliedRule::rule)
          .map(rule -> MarkdownText.code(PlainText.fit(rule, 2 * NAME)))
          .collect(Collectors.joining(", "));
      int more = diff.rules().size() - MAX_RULES;
      footer.append("\nRules: ").append(rules);
      footer.append(more > 0 ? " and " + Wording.count(more) + " more\n" : "\n");
    }
    String notCompared = Wording.notCompared(diff);
    if (!notCompared.isEmpty()) {
      footer.append("\n(").append(notCompared).append(")\n");
    }
    out.append(footer);
  }
}
