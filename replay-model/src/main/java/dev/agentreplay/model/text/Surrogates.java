package dev.agentreplay.model.text;

/** Finds lone surrogates, which have no UTF-8 form. */
public final class Surrogates {

  private Surrogates() {}

  /** Creates the exception for a text with a lone surrogate at an index. */
  public static IllegalArgumentException lone(String text, int index) {
    return new IllegalArgumentException(
        "text has a lone surrogate U+%04X at index %d".formatted((int) text.charAt(index), index));
  }

  /** Returns the index of the first surrogate that is not part of a pair, or -1. */
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
