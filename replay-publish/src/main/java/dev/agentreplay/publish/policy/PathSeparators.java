package dev.agentreplay.publish.policy;

/**
 * Separators between the names of a path: runs of slashes and backslashes, which JSON within text
 * doubles, and their percent-encoded forms.
 */
final class PathSeparators {

  /** The maximum length of a run that is one separator. */
  private static final int MAX_RUN = 24;

  private PathSeparators() {}

  /** The index after the separator at an index; the index itself if there is none. */
  static int after(String text, int from) {
    int at = from;
    int limit = Math.min(text.length(), from + MAX_RUN);
    while (at < limit) {
      char c = text.charAt(at);
      if (c == '/' || c == '\\') {
        at++;
      } else if (isEncoded(text, at)) {
        at += 3;
      } else {
        break;
      }
    }
    return at;
  }

  /** The index of the separator before an index; the index itself if there is none. */
  static int before(String text, int to) {
    int at = to;
    int limit = Math.max(0, to - MAX_RUN);
    while (at > limit) {
      char c = text.charAt(at - 1);
      if (c == '/' || c == '\\') {
        at--;
      } else if (at >= 3 && isEncoded(text, at - 3)) {
        at -= 3;
      } else {
        break;
      }
    }
    return at;
  }

  /** The last separator of a run, without its repetitions. */
  static String last(String text, int from, int to) {
    if (to - from >= 3 && isEncoded(text, to - 3)) {
      return text.substring(to - 3, to);
    }
    boolean isEscaped = to - from >= 2
        && text.charAt(to - 2) == '\\'
        && (text.charAt(to - 1) == '/' || text.charAt(to - 1) == '\\');
    return text.substring(to - (isEscaped ? 2 : 1), to);
  }

  private static boolean isEncoded(String text, int at) {
    return at + 2 < text.length()
        && text.charAt(at) == '%'
        && ((text.charAt(at + 1) == '2' && (text.charAt(at + 2) | 0x20) == 'f')
            || (text.charAt(at + 1) == '5' && (text.charAt(at + 2) | 0x20) == 'c'));
  }
}
