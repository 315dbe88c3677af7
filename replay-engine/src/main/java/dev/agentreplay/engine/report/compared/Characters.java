package dev.agentreplay.engine.report.compared;

import dev.agentreplay.model.text.Excerpt;

/** Common prefixes and suffixes of texts. None of them splits a surrogate pair. */
public final class Characters {

  private Characters() {}

  /** The length of the common prefix of two texts, in characters. */
  public static int commonPrefix(String a, String b) {
    int shorter = Math.min(a.length(), b.length());
    int i = 0;
    while (i < shorter && a.charAt(i) == b.charAt(i)) {
      i++;
    }
    return Math.min(Excerpt.floor(a, i), Excerpt.floor(b, i));
  }

  /** The length of the common suffix of two texts after their common prefix, in characters. */
  public static int commonSuffix(String a, String b, int prefix) {
    int shorter = Math.min(a.length(), b.length()) - prefix;
    int i = 0;
    while (i < shorter && a.charAt(a.length() - 1 - i) == b.charAt(b.length() - 1 - i)) {
      i++;
    }
    boolean inside = i > 0 && Character.isLowSurrogate(a.charAt(a.length() - i));
    return inside ? i - 1 : i;
  }
}
