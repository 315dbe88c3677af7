package dev.agentreplay.cli.input;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits a command line into words as a POSIX shell does: at blanks, with quotes and backslashes.
 * Nothing is expanded, and no shell is involved.
 */
final class CommandWords {

  private CommandWords() {}

  /**
   * Returns the words.
   *
   * @throws IllegalArgumentException if a quote is not closed, there is no word, or the text has an
   *     operator of a shell outside of quotes
   */
  static List<String> split(String text) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean isInWord = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isWhitespace(c)) {
        if (isInWord) {
          words.add(word.toString());
          word.setLength(0);
          isInWord = false;
        }
        continue;
      }
      isInWord = true;
      switch (c) {
        case '\'' -> {
          int end = text.indexOf('\'', i + 1);
          if (end < 0) {
            throw unclosed(c);
          }
          word.append(text, i + 1, end);
          i = end;
        }
        case '"' -> i = quoted(text, i, word);
        case '\\' -> {
          if (++i == text.length()) {
            throw new IllegalArgumentException("a backslash at the end");
          }
          word.append(text.charAt(i));
        }
        case '|', '&', ';', '<', '>', '$', '`' ->
          throw new IllegalArgumentException(
              "found %c: the command is started without a shell; quote it, or use sh -c '…'"
                  .formatted(c));
        default -> word.append(c);
      }
    }
    if (isInWord) {
      words.add(word.toString());
    }
    if (words.isEmpty()) {
      throw new IllegalArgumentException("expected a command, found nothing");
    }
    return words;
  }

  /** Appends a text in double quotes, in which a backslash quotes few characters. */
  private static int quoted(String text, int from, StringBuilder word) {
    for (int i = from + 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        return i;
      }
      boolean quotes =
          c == '\\' && i + 1 < text.length() && "\"\\$`".indexOf(text.charAt(i + 1)) >= 0;
      word.append(quotes ? text.charAt(++i) : c);
    }
    throw unclosed('"');
  }

  private static IllegalArgumentException unclosed(char quote) {
    return new IllegalArgumentException("a %c is not closed".formatted(quote));
  }
}
