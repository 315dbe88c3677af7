package dev.agentreplay.mcp;

import org.jspecify.annotations.Nullable;

/** Finds the text of a member of a JSON object. The text is valid JSON. */
final class TopLevel {

  private TopLevel() {}

  /** The start and the end of the value of a member of the object; null if it has none. */
  static int @Nullable [] find(String text, String member) {
    String quoted = '"' + member + '"';
    int depth = 0;
    boolean isName = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        int end = endOfString(text, i);
        if (isName && depth == 1 && text.substring(i, end).equals(quoted)) {
          int from = skipSpace(text, text.indexOf(':', end) + 1);
          return new int[] {from, endOfScalar(text, from)};
        }
        isName = false;
        i = end - 1;
      } else if (c == '{' || c == '[') {
        depth++;
        isName = depth == 1;
      } else if (c == '}' || c == ']') {
        depth--;
      } else if (c == ',') {
        isName = depth == 1;
      }
    }
    return null;
  }

  private static int endOfString(String text, int start) {
    int i = start + 1;
    while (text.charAt(i) != '"') {
      i += text.charAt(i) == '\\' ? 2 : 1;
    }
    return i + 1;
  }

  private static int endOfScalar(String text, int start) {
    if (text.charAt(start) == '"') {
      return endOfString(text, start);
    }
    int i = start;
    while (i < text.length() && ",}] \t\r\n".indexOf(text.charAt(i)) < 0) {
      i++;
    }
    return i;
  }

  private static int skipSpace(String text, int start) {
    int i = start;
    while (" \t\r\n".indexOf(text.charAt(i)) >= 0) {
      i++;
    }
    return i;
  }
}
