package dev.agentreplay.engine.report;

import dev.agentreplay.model.text.Excerpt;

/** Compares the ends of texts; none of what it counts ends within a surrogate pair. */
final class Characters {

  private Characters() {}

  /** How many characters two texts begin with alike. */
  static int commonPrefix(String a, String b) {
    int shorter = Math.min(a.length(), b.length());
    int i = 0;
    while (i < shorter && a.charAt(i) == b.charAt(i)) {
      i++;
    }
    return Math.min(Excerpt.floor(a, i), Excerpt.floor(b, i));
  }

  /** How many characters two texts end with alike, after what they begin with. */
  static int commonSuffix(String a, String b, int prefix) {
    int shorter = Math.min(a.length(), b.length()) - prefix;
    int i = 0;
    while (i < shorter && a.charAt(a.length() - 1 - i) == b.charAt(b.length() - 1 - i)) {
      i++;
    }
    boolean inside = i > 0 && Character.isLowSurrogate(a.charAt(a.length() - i));
    return inside ? i - 1 : i;
  }
}
