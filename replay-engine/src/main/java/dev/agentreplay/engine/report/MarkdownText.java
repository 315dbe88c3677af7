package dev.agentreplay.engine.report;

import dev.agentreplay.model.text.PlainText;

/** Recorded text in GitHub Flavored Markdown: as code, which nothing in it can end. */
final class MarkdownText {

  private MarkdownText() {}

  /** A code span of one line; text beyond 120 characters is cut. */
  static String code(String text) {
    String plain = PlainText.fit(text, 120);
    String fence = "`".repeat(longestRun(plain, 0) + 1);
    // a blank at both sides is not part of it, and keeps backticks apart
    String pad = plain.startsWith("`") || plain.endsWith("`") || isPadded(plain) ? " " : "";
    return plain.isEmpty() ? "` `" : fence + pad + plain + pad + fence;
  }

  private static boolean isPadded(String text) {
    return text.startsWith(" ") && text.endsWith(" ");
  }

  /**
   * A code span in a table, where a vertical bar would end the cell, code or not.
   *
   * <p>Parsers differ in whether a backslash before it can itself be escaped: an odd number of them
   * is an escape to all.
   */
  static String cell(String text) {
    StringBuilder out = new StringBuilder();
    int backslashes = 0;
    String span = code(text);
    for (int i = 0; i < span.length(); i++) {
      char c = span.charAt(i);
      if (c == '|') {
        out.append(backslashes % 2 == 0 ? "\\" : "\\\\");
      }
      backslashes = c == '\\' ? backslashes + 1 : 0;
      out.append(c);
    }
    return out.toString();
  }

  /** A fenced block that shows an excerpt. */
  static String fence(ChangeExcerpt excerpt) {
    StringBuilder lines = new StringBuilder();
    for (ChangeExcerpt.Line line : excerpt.lines()) {
      lines.append(line.sign().symbol()).append(' ');
      line.segments().forEach(segment -> lines.append(PlainText.of(segment.text())));
      lines.append('\n');
    }
    String fence = "`".repeat(longestRun(lines, 2) + 1);
    return fence + "diff\n" + lines + fence + "\n";
  }

  private static int longestRun(CharSequence text, int atLeast) {
    int longest = atLeast;
    int run = 0;
    for (int i = 0; i < text.length(); i++) {
      run = text.charAt(i) == '`' ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
    return longest;
  }
}
