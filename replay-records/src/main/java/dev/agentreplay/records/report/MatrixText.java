package dev.agentreplay.records.report;

import dev.agentreplay.engine.report.TextOptions;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.records.RecordReplayReport.Severity;
import dev.agentreplay.records.replay.DivergenceTally;
import dev.agentreplay.records.replay.SessionMatrix;
import dev.agentreplay.records.replay.SessionMatrix.Comparison;
import dev.agentreplay.records.report.ReportLines.Color;
import org.jspecify.annotations.Nullable;

/** Renders several comparisons as a table of text. */
final class MatrixText {

  private static final int NUMBER = 11;
  private static final int MIN_NAME = 6;

  private final SessionMatrix matrix;
  private final TextOptions options;
  private final ReportLines lines;

  MatrixText(SessionMatrix matrix, TextOptions options) {
    this.matrix = matrix;
    this.options = options;
    this.lines = new ReportLines(options);
  }

  String render() {
    lines
        .add(
            Color.BOLD,
            "%s of %s"
                .formatted(
                    PlainText.count(matrix.comparisons().size(), "comparison"),
                    matrix.original().sessionId()))
        .end()
        .end();
    int name = matrix.comparisons().stream()
        .mapToInt(each -> each.name().codePointCount(0, each.name().length()))
        .max()
        .orElse(MIN_NAME);
    int width = Math.max(MIN_NAME, Math.min(name, options.width() - 7 * NUMBER - 4));
    lines.add("  ").pad(Color.DIM, "roster", width + 2);
    for (String heading :
        new String[] {"similarity", "artifact", "major", "moderate", "minor", "undecided"}) {
      lines.add(Color.DIM, " ".repeat(NUMBER - heading.length()) + heading);
    }
    lines.add(Color.DIM, "  verdict").end();
    for (Comparison comparison : matrix.comparisons()) {
      row(comparison, width);
    }
    lines.end();
    lines.labelled("closest", name(matrix.closest()));
    lines.labelled("farthest", name(matrix.farthest()));
    if (matrix.closest() == null && matrix.comparisons().size() > 1) {
      lines.labelled("note", unranked(matrix));
    }
    return lines.toString();
  }

  /** The reason why no roster is called the closest. */
  static String unranked(SessionMatrix matrix) {
    boolean isDecided = matrix.comparisons().stream().allMatch(Comparison::isDecided);
    return isDecided
        ? "no roster is the closest: several have the same similarity"
        : "no roster is called the closest: not all comparisons are complete and decided";
  }

  private void row(Comparison comparison, int width) {
    DivergenceTally tally = comparison.tally();
    Double artifact = comparison.artifact();
    String name = PlainText.fitEnd(comparison.name(), width);
    lines.add("  ").pad(Color.NAME, name, width + 2);
    number(SessionWording.percent(comparison.similarity()));
    number(artifact == null ? "-" : SessionWording.percent(artifact));
    number(Long.toString(tally.count(Severity.MAJOR)));
    number(Long.toString(tally.count(Severity.MODERATE)));
    number(Long.toString(tally.count(Severity.MINOR)));
    number(Long.toString(tally.undecided()));
    Color color =
        switch (comparison.result().verdict()) {
          case MATCHED -> Color.GOOD;
          case DIVERGED -> Color.MAJOR;
          case UNDECIDED, INCOMPLETE -> Color.MODERATE;
        };
    lines.add("  ").add(color, comparison.result().verdict().id()).end();
  }

  private void number(String text) {
    lines.add(" ".repeat(Math.max(1, NUMBER - text.length())) + text);
  }

  private static String name(@Nullable Comparison comparison) {
    return comparison == null ? "" : comparison.name();
  }
}
