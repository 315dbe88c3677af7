package dev.agentreplay.engine.report;

import dev.agentreplay.model.text.PlainText;

/** A line of a text report. Added text is made printable and cut at the width of the line. */
final class TextRow {

  private final StringBuilder out = new StringBuilder();
  private final boolean color;
  private int left;

  TextRow(TextOptions options) {
    this.color = options.color();
    this.left = options.width();
  }

  /** The number of columns left. */
  int left() {
    return left;
  }

  TextRow add(String text) {
    return add(Paint.PLAIN, text);
  }

  TextRow add(Paint paint, String text) {
    if (left > 0) {
      String fitting = PlainText.fit(text, left);
      left -= fitting.codePointCount(0, fitting.length());
      out.append(color ? paint.on(fitting) : fitting);
    }
    return this;
  }

  /** Adds a text, padded with blanks to a width. */
  TextRow pad(Paint paint, String text, int width) {
    int before = left;
    add(paint, text);
    return left > 0 ? add(" ".repeat(Math.max(0, width - (before - left)))) : this;
  }

  /** Returns the line with its line feed. */
  @Override
  public String toString() {
    return out.toString().stripTrailing() + "\n";
  }
}
