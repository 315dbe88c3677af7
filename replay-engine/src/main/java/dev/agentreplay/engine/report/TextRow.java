package dev.agentreplay.engine.report;

import dev.agentreplay.model.text.PlainText;

/** A line of a text: whatever is added is made plain, and cut where the line ends. */
final class TextRow {

  private final StringBuilder out = new StringBuilder();
  private final boolean color;
  private int left;

  TextRow(TextOptions options) {
    this.color = options.color();
    this.left = options.width();
  }

  /** How many columns are left. */
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

  /** Adds a text, filled up with blanks to a width. */
  TextRow pad(Paint paint, String text, int width) {
    int before = left;
    add(paint, text);
    return left > 0 ? add(" ".repeat(Math.max(0, width - (before - left)))) : this;
  }

  /** The line, with its end. */
  @Override
  public String toString() {
    return out.toString().stripTrailing() + "\n";
  }
}
