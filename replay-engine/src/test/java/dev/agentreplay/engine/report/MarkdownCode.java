package dev.agentreplay.engine.report;

/** Finds the code in Markdown, as CommonMark has it. */
final class MarkdownCode {

  private MarkdownCode() {}

  /** The text outside of fenced blocks and code spans. */
  static String removedFrom(String markdown) {
    StringBuilder out = new StringBuilder();
    String fence = null;
    for (String line : markdown.split("\n", -1)) {
      if (fence != null) {
        // up to three blanks before, only blanks after, at least as long as the one that opened
        boolean closes = line.matches(" {0,3}`{" + fence.length() + ",} *");
        fence = closes ? null : fence;
      } else if (line.startsWith("```")) {
        fence = line.substring(0, run(line, 0));
      } else {
        out.append(withoutSpans(line)).append('\n');
      }
    }
    return out.toString();
  }

  private static String withoutSpans(String line) {
    StringBuilder out = new StringBuilder();
    int i = 0;
    while (i < line.length()) {
      int opening = run(line, i);
      int end = opening == 0 ? -1 : closing(line, i + opening, opening);
      if (end < 0) {
        out.append(line, i, i + Math.max(1, opening));
        i += Math.max(1, opening);
      } else {
        out.append("code");
        i = end;
      }
    }
    return out.toString();
  }

  private static int closing(String line, int from, int length) {
    for (int i = from; i < line.length(); i += Math.max(1, run(line, i))) {
      if (run(line, i) == length) {
        return i + length;
      }
    }
    return -1;
  }

  private static int run(String line, int from) {
    int end = from;
    while (end < line.length() && line.charAt(end) == '`') {
      end++;
    }
    return end - from;
  }
}
