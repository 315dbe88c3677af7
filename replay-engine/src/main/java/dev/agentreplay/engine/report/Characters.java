package dev.agentreplay.engine.report;

/** Places in texts that are not inside a surrogate pair. */
final class Characters {

  private Characters() {}

  /** The index, or the one before when it is inside a pair. */
  static int floor(String text, int index) {
    boolean inside = index > 0
        && index < text.length()
        && Character.isLowSurrogate(text.charAt(index))
        && Character.isHighSurrogate(text.charAt(index - 1));
    return inside ? index - 1 : index;
  }

  /** How many characters two texts begin with alike. */
  static int commonPrefix(String a, String b) {
    int shorter = Math.min(a.length(), b.length());
    int i = 0;
    while (i < shorter && a.charAt(i) == b.charAt(i)) {
      i++;
    }
    return Math.min(floor(a, i), floor(b, i));
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
