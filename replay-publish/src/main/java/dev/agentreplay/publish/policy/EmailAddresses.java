package dev.agentreplay.publish.policy;

import org.jspecify.annotations.Nullable;

/**
 * Replaces email addresses. The form is that of addresses in practice: ASCII, with a domain of at
 * least two names whose last one consists of letters. {@code git@} is the account of a server.
 */
final class EmailAddresses {

  private static final String REPLACEMENT = "user@example.invalid";
  private static final int MAX_LOCAL = 64;
  private static final int MAX_DOMAIN = 253;

  private EmailAddresses() {}

  /** Returns the text without email addresses; null if it has none. */
  static @Nullable String map(String text) {
    int at = text.indexOf('@');
    if (at < 0) {
      return null;
    }
    TextEdits edits = new TextEdits(text);
    int end = 0;
    for (; at >= 0; at = text.indexOf('@', at + 1)) {
      int from = local(text, at, end);
      int to = domain(text, at + 1);
      if (from < at && to > at) {
        if (!isAccount(text, from, at, to)) {
          edits.replace(from, to, REPLACEMENT);
        }
        end = to;
      }
    }
    return edits.result();
  }

  private static boolean isAccount(String text, int from, int at, int to) {
    return text.startsWith("://", from - 3) // the user of a URL
        || text.substring(from, at).equals("git")
        || isReplacement(text.substring(from, to));
  }

  /** Whether an address is the replacement, of which the limit of the length may leave a part. */
  private static boolean isReplacement(String address) {
    return REPLACEMENT.startsWith(address) || REPLACEMENT.endsWith(address);
  }

  private static int local(String text, int at, int end) {
    int from = at;
    int limit = Math.max(end, at - MAX_LOCAL);
    while (from > limit
        && (isWord(text.charAt(from - 1)) || "._%+-".indexOf(text.charAt(from - 1)) >= 0)) {
      from--;
    }
    while (from < at && !isWord(text.charAt(from))) {
      from++;
    }
    return from;
  }

  /** The index after the domain at an index; 0 if there is none. */
  private static int domain(String text, int from) {
    int limit = Math.min(text.length(), from + MAX_DOMAIN);
    int to = from;
    while (to < limit && isDomain(text, to)) {
      to++;
    }
    while (to > from && !isWord(text.charAt(to - 1))) {
      to--;
    }
    int dot = text.lastIndexOf('.', to - 1);
    if (dot <= from || to - dot - 1 < 2) {
      return 0;
    }
    for (int i = dot + 1; i < to; i++) {
      if (Character.isDigit(text.charAt(i))) {
        return 0;
      }
    }
    int name = Math.max(text.lastIndexOf('.', dot - 1) + 1, from);
    // image@2x.png and package@18.beta are a scale and a version
    return Character.isDigit(text.charAt(name)) && dot - name <= 3 ? 0 : to;
  }

  /** Whether the character at an index may be part of a domain, which has no empty names. */
  private static boolean isDomain(String text, int at) {
    char c = text.charAt(at);
    return isWord(c) || c == '-' || (c == '.' && text.charAt(at - 1) != '.');
  }

  private static boolean isWord(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }
}
