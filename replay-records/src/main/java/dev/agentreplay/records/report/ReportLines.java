package dev.agentreplay.records.report;

import dev.agentreplay.engine.report.TextOptions;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.records.RecordReplayReport.Severity;
import java.util.ArrayList;
import java.util.List;

/**
 * The lines of a text report. Text is made printable, and wrapped at blanks or cut at the width of
 * the report. Not safe for use by several threads.
 */
final class ReportLines {

  private static final int LABEL = 12;

  private final TextOptions options;
  private final StringBuilder out = new StringBuilder();
  private final StringBuilder line = new StringBuilder();
  private int left;

  ReportLines(TextOptions options) {
    this.options = options;
    this.left = options.width();
  }

  /** The colors and emphasis of a text (ECMA-48, SGR). */
  enum Color {
    PLAIN(""),
    BOLD("1"),
    DIM("2"),
    NAME("36"),
    GOOD("32"),
    MINOR("36"),
    MODERATE("33;1"),
    MAJOR("31;1");

    private final String code;

    Color(String code) {
      this.code = code;
    }

    static Color of(Severity severity) {
      return switch (severity) {
        case NONE -> DIM;
        case MINOR -> MINOR;
        case MODERATE -> MODERATE;
        case MAJOR -> MAJOR;
      };
    }
  }

  ReportLines add(String text) {
    return add(Color.PLAIN, text);
  }

  /** Adds a text to the line; what does not fit is cut. */
  ReportLines add(Color color, String text) {
    if (left > 0 && !text.isEmpty()) {
      String fitting = PlainText.fit(text, left);
      left -= fitting.codePointCount(0, fitting.length());
      boolean isColored = options.color() && !color.code.isEmpty();
      line.append(isColored ? "\u001b[" + color.code + "m" + fitting + "\u001b[0m" : fitting);
    }
    return this;
  }

  /** Adds a text to the line, padded with blanks to a width. */
  ReportLines pad(Color color, String text, int width) {
    int before = left;
    add(color, text);
    return add(" ".repeat(Math.max(0, width - (before - left))));
  }

  /** Ends the line. */
  ReportLines end() {
    out.append(line.toString().stripTrailing()).append('\n');
    line.setLength(0);
    left = options.width();
    return this;
  }

  /** Adds lines that are complete. */
  ReportLines append(String completeLines) {
    out.append(completeLines);
    return this;
  }

  /** Adds a word in color, and a sentence after it, on several lines if it is long. */
  ReportLines headline(Color color, String word, String sentence) {
    List<String> parts = parts(sentence, options.width() - word.length() - 2);
    add(color, word).add("  " + parts.get(0)).end();
    for (String part : parts.subList(1, parts.size())) {
      add(" ".repeat(word.length() + 2) + part).end();
    }
    return this;
  }

  /** Adds a text after a label, on several lines if it is long; nothing for an empty text. */
  ReportLines labelled(String label, String text) {
    return text.isEmpty()
        ? this
        : wrapped("  " + label + " ".repeat(Math.max(1, LABEL - label.length())), text);
  }

  /** Adds a text after a prefix; further lines are indented by the length of the prefix. */
  ReportLines wrapped(String before, String text) {
    String start = before;
    for (String part : parts(text, options.width() - before.length())) {
      add(start).add(part).end();
      start = " ".repeat(before.length());
    }
    return this;
  }

  /** The lines of a text, broken at blanks, and within words that are longer than a line. */
  private static List<String> parts(String text, int width) {
    List<String> lines = new ArrayList<>();
    String rest = PlainText.of(text);
    while (rest.codePointCount(0, rest.length()) > width) {
      int most = rest.offsetByCodePoints(0, width);
      int blank = rest.lastIndexOf(' ', most);
      int end = blank <= 0 ? most : blank;
      lines.add(rest.substring(0, end));
      rest = rest.substring(end).stripLeading();
    }
    lines.add(rest);
    return lines;
  }

  /** Returns the report. */
  @Override
  public String toString() {
    return out.toString();
  }
}
