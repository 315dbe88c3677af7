package dev.agentreplay.model.text;

import java.util.List;

/** A report for people: rows of a label and a text, broken at blanks to fit. */
public final class LabelledText {

  /** The columns of a row. */
  public static final int WIDTH = 100;

  /** The blanks before a label. */
  public static final String INDENT = "  ";

  private static final int LABEL_WIDTH = 12;

  /** The columns of a text behind a label. */
  public static final int TEXT_WIDTH = WIDTH - INDENT.length() - LABEL_WIDTH;

  private final StringBuilder out = new StringBuilder();

  /** An empty report. */
  public LabelledText() {}

  /** Adds a text as it is. */
  public LabelledText append(String text) {
    out.append(text);
    return this;
  }

  /** Adds a text behind its label, which may be empty. */
  public LabelledText labelled(String label, String text) {
    return wrap(INDENT + label + " ".repeat(Math.max(1, LABEL_WIDTH - label.length())), text);
  }

  /** Adds texts one beneath the other, the label before the first. */
  public LabelledText labelled(String label, List<String> texts) {
    for (int i = 0; i < texts.size(); i++) {
      labelled(i == 0 ? label : "", texts.get(i));
    }
    return this;
  }

  /** Breaks a text at blanks, so that it fits beside what is before it. */
  public LabelledText wrap(String before, String text) {
    StringBuilder row = new StringBuilder(before);
    boolean isEmpty = true;
    for (String word : text.split(" ", -1)) {
      if (!isEmpty && row.length() + 1 + word.length() > WIDTH) {
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

  /** The report so far. */
  @Override
  public String toString() {
    return out.toString();
  }
}
