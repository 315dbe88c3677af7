package dev.agentreplay.publish.policy;

import org.jspecify.annotations.Nullable;

/** Replaces the user information of URLs (RFC 3986, section 3.2.1): user and password. */
final class UrlUsers {

  private static final String USER = "user";
  private static final String GAP = "...";
  private static final String SCHEME_END = "://";
  private static final int MAX_LENGTH = 512;

  private UrlUsers() {}

  /** Returns the text without users in URLs; null if it has none. */
  static @Nullable String map(String text) {
    int scheme = text.indexOf(SCHEME_END);
    if (scheme < 0 || text.indexOf('@', scheme) < 0) {
      return null;
    }
    TextEdits edits = new TextEdits(text);
    for (; scheme >= 0; scheme = text.indexOf(SCHEME_END, scheme + 1)) {
      int from = scheme + SCHEME_END.length();
      int to = -1;
      int limit = Math.min(text.length(), from + MAX_LENGTH);
      for (int i = from; i < limit && !isEnd(text.charAt(i)); i++) {
        if (text.charAt(i) == '@') {
          to = i;
        }
      }
      if (to > from && !isAccount(text.substring(from, to))) {
        edits.replace(from, to, USER);
      }
    }
    return edits.result();
  }

  private static boolean isAccount(String user) {
    int gap = user.indexOf(GAP); // the limit of the length may leave a part of the replacement
    boolean isCut = gap >= 0
        && USER.startsWith(user.substring(0, gap))
        && USER.endsWith(user.substring(gap + GAP.length()));
    return user.equals("git") || user.equals(USER) || isCut;
  }

  private static boolean isEnd(char c) {
    return c <= ' ' || Character.isWhitespace(c) || "/?#\"'`<>\\|{}".indexOf(c) >= 0;
  }
}
