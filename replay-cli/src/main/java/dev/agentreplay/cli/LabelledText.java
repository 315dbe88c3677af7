package dev.agentreplay.cli;

import java.util.List;

/** A report for people: what is said of something, beneath it, each with a label before it. */
final class LabelledText {

  static final String INDENT = "  ";

  private static final int LABEL_WIDTH = 12;

  /** What is behind a label fits into so many columns. */
  static final int WIDTH = Style.WIDTH - INDENT.length() - LABEL_WIDTH;

  private final StringBuilder out = new StringBuilder();

  LabelledText append(String text) {
    out.append(text);
    return this;
  }

  /** Adds a text behind its label, which may be empty. */
  LabelledText labelled(String label, String text) {
    return wrap(INDENT + label + " ".repeat(LABEL_WIDTH - label.length()), text);
  }

  /** Adds texts one beneath the other, the label before the first. */
  LabelledText labelled(String label, List<String> texts) {
    for (int i = 0; i < texts.size(); i++) {
      labelled(i == 0 ? label : "", texts.get(i));
    }
    return this;
  }

  /** Breaks a text at blanks, so that it fits beside what is before it. */
  LabelledText wrap(String before, String text) {
    StringBuilder row = new StringBuilder(before);
    boolean isEmpty = true;
    for (String word : text.split(" ", -1)) {
      if (!isEmpty && row.length() + 1 + word.length() > Style.WIDTH) {
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

  @Override
  public String toString() {
    return out.toString();
  }
}
