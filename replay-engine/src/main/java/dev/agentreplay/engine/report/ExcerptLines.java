package dev.agentreplay.engine.report;

import dev.agentreplay.engine.report.ChangeExcerpt.Limits;
import dev.agentreplay.engine.report.ChangeExcerpt.Line;
import dev.agentreplay.engine.report.ChangeExcerpt.Segment;
import dev.agentreplay.engine.report.ChangeExcerpt.Sign;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.model.text.PlainText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Collects the lines of an excerpt, up to its limits. */
final class ExcerptLines {

  private final Limits limits;
  private final List<Line> lines = new ArrayList<>();
  private boolean cut;

  ExcerptLines(Limits limits) {
    this.limits = limits;
  }

  /** The maximum length of a line, in characters. */
  int columns() {
    return limits.columns();
  }

  /** The number of lines left before the limit is reached. */
  int linesLeft() {
    return limits.lines() - lines.size();
  }

  /** Whether a line was omitted because the limit was reached; all later lines are omitted too. */
  boolean isCut() {
    return cut;
  }

  /** Adds a line; of a line that is too long its beginning and its length. */
  void add(Sign sign, String text) {
    String size = text.length() <= columns()
        ? ""
        : " (%s)".formatted(PlainText.count(text.codePointCount(0, text.length()), "character"));
    add(sign, List.of(new Segment(beginning(text, columns() - size.length()) + size, false)));
  }

  /** Adds a line; of a line that is too long only its beginning. */
  void addBeginning(Sign sign, String text) {
    add(sign, List.of(new Segment(beginning(text, columns()), false)));
  }

  private static String beginning(String text, int length) {
    return text.length() <= length
        ? text
        : text.substring(0, Excerpt.floor(text, Math.max(0, length - 1))) + "…";
  }

  /** Adds a line that is known to fit. */
  void add(Sign sign, List<Segment> segments) {
    cut |= lines.size() >= limits.lines();
    if (!cut) {
      lines.add(new Line(sign, segments));
    }
  }

  /** Adds a note about omitted content. */
  void note(String text) {
    add(Sign.NOTE, List.of(new Segment(text, false)));
  }

  /** Returns the excerpt; if lines were omitted, its last line states the size of the whole. */
  ChangeExcerpt toExcerpt(Supplier<String> size) {
    if (cut) {
      lines.add(new Line(Sign.NOTE, List.of(new Segment("cut here: " + size.get(), false))));
    }
    return new ChangeExcerpt(lines);
  }
}
