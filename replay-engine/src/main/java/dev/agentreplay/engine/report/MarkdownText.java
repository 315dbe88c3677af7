package dev.agentreplay.engine.report;

import dev.agentreplay.model.text.PlainText;
import java.util.List;

/**
 * Quotes untrusted text in GitHub Flavored Markdown as code that the text itself cannot end. All
 * methods are safe for use by several threads.
 */
public final class MarkdownText {

  private MarkdownText() {}

  /** Returns a code span on one line; text beyond 120 characters is cut. */
  public static String code(String text) {
    String plain = PlainText.fit(text, 120);
    String fence = "`".repeat(longestRun(plain, 0) + 1);
    // Markdown strips one blank at both ends; it separates the text from the backticks
    String pad = plain.startsWith("`") || plain.endsWith("`") || isPadded(plain) ? " " : "";
    return plain.isEmpty() ? "` `" : fence + pad + plain + pad + fence;
  }

  private static boolean isPadded(String text) {
    return text.startsWith(" ") && text.endsWith(" ");
  }

  /**
   * Returns a code span for a table cell. A vertical bar would end the cell, even in code, and is
   * escaped with a backslash.
   *
   * <p>Parsers differ in whether that backslash can itself be escaped: an odd number of backslashes
   * is an escape for all of them.
   */
  public static String cell(String text) {
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

  /** Returns a fenced block with an excerpt. */
  static String fence(ChangeExcerpt excerpt) {
    StringBuilder lines = new StringBuilder();
    for (ChangeExcerpt.Line line : excerpt.lines()) {
      lines.append(line.sign().symbol()).append(' ');
      line.segments().forEach(segment -> lines.append(PlainText.of(segment.text())));
      lines.append('\n');
    }
    return fence(lines);
  }

  /**
   * Returns a fenced block with lines of a text, of the language {@code diff}, in which lines with
   * {@code -} and {@code +} are removed and added ones.
   */
  public static String fence(List<String> text) {
    StringBuilder lines = new StringBuilder();
    text.forEach(line -> lines.append(PlainText.of(line)).append('\n'));
    return fence(lines);
  }

  private static String fence(StringBuilder lines) {
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
