package dev.agentreplay.lint.pattern;

import org.jspecify.annotations.Nullable;

/** The words of a line; one with parentheses ends after them. */
final class LineTokens {

  private final String file;
  private final int line;
  private final String text;
  private int position;
  private int start;

  LineTokens(String file, int line, String text) {
    this.file = file;
    this.line = line;
    this.text = text;
  }

  int line() {
    return line;
  }

  /** The next word; null at the end of the line. */
  @Nullable
  String next() {
    while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
      position++;
    }
    start = position;
    int depth = 0;
    while (position < text.length()) {
      char c = text.charAt(position);
      if (depth <= 0 && Character.isWhitespace(c)) {
        break;
      }
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      position++;
    }
    return start == position ? null : text.substring(start, position);
  }

  /** The next word, which has to be there. */
  String require(String expected) throws LintFileException {
    String word = next();
    if (word == null) {
      throw error("expected " + expected + ", found the end of the line");
    }
    return word;
  }

  MemberPattern pattern(String word) throws LintFileException {
    try {
      return MemberPattern.parse(word);
    } catch (IllegalArgumentException e) {
      throw error(String.valueOf(e.getMessage()));
    }
  }

  /** The rest of the line. */
  String rest() {
    String rest = text.substring(position).strip();
    position = text.length();
    return rest;
  }

  /** The error at the last word. */
  LintFileException error(String reason) {
    return new LintFileException(file, line, start + 1, reason);
  }

  /** Whether a line is empty, or a comment, which begins with #. */
  static boolean isBlank(String line) {
    return line.isBlank() || line.stripLeading().startsWith("#");
  }
}
