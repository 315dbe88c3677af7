package dev.agentreplay.canonical.internal;

/** The order of member names in the canonical form. */
public final class KeyOrder {

  private KeyOrder() {}

  /**
   * Compares by Unicode code point, which is also the order of the UTF-8 bytes.
   * {@link String#compareTo} puts astral characters before U+E000 to U+FFFF.
   */
  public static int compare(String left, String right) {
    int common = Math.min(left.length(), right.length());
    for (int i = 0; i < common; i++) {
      char l = left.charAt(i);
      char r = right.charAt(i);
      if (l != r) {
        return Integer.compare(rank(l), rank(r));
      }
    }
    return Integer.compare(left.length(), right.length());
  }

  /** Moves surrogates behind all other characters. */
  private static int rank(char c) {
    return Character.isSurrogate(c) ? c + 0x10000 : c;
  }
}
