package dev.agentreplay.publish.secret;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The text that replaces a secret: {@code [REDACTED:rule]}. */
final class RedactionMark {

  private static final String BEGIN = "[REDACTED:";
  private static final int MAX_ID = 100;

  /** The character that covers a mark; no literal, class or keyword of a rule has it. */
  private static final char COVER = '\ufffc';

  private RedactionMark() {}

  /** The mark of a rule. */
  static String of(String rule) {
    return BEGIN + rule + "]";
  }

  /** Whether an id can be that of a rule. */
  static boolean isRuleId(String id) {
    return !id.isEmpty() && id.length() <= MAX_ID && id.chars().allMatch(RedactionMark::isInId);
  }

  private static boolean isInId(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '.'
        || c == '_'
        || c == '-';
  }

  /** Whether a character of a text with {@linkplain #covered covered} marks is one of a mark. */
  static boolean isCover(char c) {
    return c == COVER;
  }

  /**
   * Returns a text of the same length in which each mark is covered; itself if it has none.
   *
   * @param rules the ids of the rules of which there may be marks: a mark of any other text might
   *     hide a secret
   */
  static String covered(String text, Set<String> rules) {
    StringBuilder covered = null;
    int from = text.indexOf(BEGIN);
    while (from >= 0) {
      int end = from + BEGIN.length();
      while (end < text.length() && isInId(text.charAt(end))) {
        end++;
      }
      if (end < text.length()
          && text.charAt(end) == ']'
          && rules.contains(text.substring(from + BEGIN.length(), end))) {
        covered = cover(covered, text, from, end + 1);
      }
      from = text.indexOf(BEGIN, end);
    }
    return covered == null ? text : covered.toString();
  }

  private static StringBuilder cover(@Nullable StringBuilder begun, String text, int from, int to) {
    StringBuilder covered = begun == null ? new StringBuilder(text) : begun;
    for (int i = from; i < to; i++) {
      covered.setCharAt(i, COVER);
    }
    return covered;
  }
}
