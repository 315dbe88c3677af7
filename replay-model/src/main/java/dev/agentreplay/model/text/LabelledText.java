package dev.agentreplay.model.text;

import java.util.List;

/**
 * A builder of text reports: rows of a label and a text, wrapped at spaces to a number of columns,
 * one for each code point. Not safe for use by several threads.
 */
public final class LabelledText {

  /** The default maximum number of columns of a row. */
  public static final int WIDTH = 100;

  /** The indentation of a label. */
  public static final String INDENT = "  ";

  private static final int LABEL_WIDTH = 12;

  /** The number of columns of a text after its label. */
  public static final int TEXT_WIDTH = WIDTH - INDENT.length() - LABEL_WIDTH;

  private final StringBuilder out = new StringBuilder();

  private final int width;

  /** Creates an empty report of {@link #WIDTH} columns. */
  public LabelledText() {
    this(WIDTH);
  }

  /** Creates an empty report of a maximum number of columns. */
  public LabelledText(int width) {
    this.width = width;
  }

  /** Adds a text unchanged. */
  public LabelledText append(String text) {
    out.append(text);
    return this;
  }

  /** Adds a text after its label, which may be empty. */
  public LabelledText labelled(String label, String text) {
    return wrap(INDENT + label + " ".repeat(Math.max(1, LABEL_WIDTH - label.length())), text);
  }

  /** Adds a row for each text, with the label before the first. */
  public LabelledText labelled(String label, List<String> texts) {
    for (int i = 0; i < texts.size(); i++) {
      labelled(i == 0 ? label : "", texts.get(i));
    }
    return this;
  }

  /**
   * Adds a text after a prefix, wrapped at spaces; further rows are indented by the length of the
   * prefix.
   */
  public LabelledText wrap(String before, String text) {
    StringBuilder row = new StringBuilder(before);
    boolean isEmpty = true;
    for (String word : text.split(" ", -1)) {
      if (!isEmpty && columns(row) + 1 + columns(word) > width) {
        out.append(row).append('\n');
        row.setLength(0);
        row.append(" ".repeat(before.length()));
        isEmpty = true;
      }
      row.append(isEmpty ? "" : " ").append(word);
      isEmpty = false;
    }
    out.append(row).append('\n');
    return this;
  }

  private static int columns(CharSequence text) {
    return Character.codePointCount(text, 0, text.length());
  }

  /** Returns the report so far. */
  @Override
  public String toString() {
    return out.toString();
  }
}
