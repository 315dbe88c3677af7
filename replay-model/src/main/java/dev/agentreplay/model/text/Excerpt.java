package dev.agentreplay.model.text;

/** Shortens texts that may be long, without splitting a surrogate pair. */
public final class Excerpt {

  private static final int LENGTH = 60;

  private Excerpt() {}

  /**
   * Returns the first 60 characters of a text for a message, followed by {@code ...} if the text is
   * longer.
   */
  public static String of(String text) {
    return text.length() <= LENGTH ? text : beginning(text, LENGTH) + "...";
  }

  /**
   * Returns a text, or its first {@code length} characters followed by {@code …} if it is longer.
   */
  public static String shortened(String text, int length) {
    return text.length() <= length ? text : beginning(text, length) + "…";
  }

  /**
   * Returns the beginning of a text, with at most {@code length} characters (UTF-16 code units).
   */
  public static String beginning(String text, int length) {
    return text.length() <= length ? text : text.substring(0, floor(text, length));
  }

  /** Returns the index, or the one before it if the index is within a surrogate pair. */
  public static int floor(String text, int index) {
    boolean isWithin = index > 0
        && index < text.length()
        && Character.isLowSurrogate(text.charAt(index))
        && Character.isHighSurrogate(text.charAt(index - 1));
    return isWithin ? index - 1 : index;
  }
}
