package dev.agentreplay.model.internal;

/** Finds what has no UTF-8 form. */
public final class Surrogates {

  private Surrogates() {}

  /** The index of the first surrogate that is not one of a pair, or -1. */
  public static int indexOfLone(String text) {
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (!Character.isSurrogate(c)) {
        i++;
      } else if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i += 2;
      } else {
        return i;
      }
    }
    return -1;
  }
}
