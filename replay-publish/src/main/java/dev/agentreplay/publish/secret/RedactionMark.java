package dev.agentreplay.publish.secret;

import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/** The text that replaces a secret: {@code [REDACTED:rule]}. */
final class RedactionMark {

  private static final String BEGIN = "[REDACTED:";

  /** The least of a mark that is recognized if it is cut. */
  private static final String CUT = "[RED";

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
   * Returns a text of the same length in which each mark is covered; itself if it has none. A mark
   * may be cut, as in a preview.
   *
   * @param rules the ids of the rules of which there may be marks: a mark of any other text might
   *     hide a secret
   */
  static String covered(String text, NavigableSet<String> rules) {
    StringBuilder covered = null;
    int from = text.indexOf(CUT);
    while (from >= 0) {
      int end = end(text, from, rules);
      if (end > from) {
        covered = cover(covered, text, from, end);
      }
      from = text.indexOf(CUT, Math.max(end, from + 1));
    }
    for (int length = CUT.length() - 1; length > 0; length--) {
      if (text.endsWith(CUT.substring(0, length))) { // less of a mark is one at the end only
        covered = cover(covered, text, text.length() - length, text.length());
        break;
      }
    }
    return covered == null ? text : covered.toString();
  }

  /** The end of the mark that begins at an index; at most that index if there is none. */
  private static int end(String text, int from, NavigableSet<String> rules) {
    int at = from;
    while (at < text.length()
        && at - from < BEGIN.length()
        && text.charAt(at) == BEGIN.charAt(at - from)) {
      at++;
    }
    if (at - from < BEGIN.length()) {
      return at < text.length() && isInId(text.charAt(at)) ? from : at;
    }
    int id = at;
    while (at < text.length() && at - id <= MAX_ID && isInId(text.charAt(at))) {
      at++;
    }
    String rule = text.substring(id, at);
    if (at < text.length() && text.charAt(at) == ']') {
      return rules.contains(rule) ? at + 1 : from;
    }
    return isBeginning(rule, rules) ? at : from;
  }

  private static boolean isBeginning(String text, NavigableSet<String> rules) {
    String known = rules.ceiling(text);
    return known != null && known.startsWith(text);
  }

  private static StringBuilder cover(@Nullable StringBuilder begun, String text, int from, int to) {
    StringBuilder covered = begun == null ? new StringBuilder(text) : begun;
    for (int i = from; i < to; i++) {
      covered.setCharAt(i, COVER);
    }
    return covered;
  }
}
