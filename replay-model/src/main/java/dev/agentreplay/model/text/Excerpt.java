package dev.agentreplay.model.text;

/** Parts of texts that may be long; none begins or ends within a surrogate pair. */
public final class Excerpt {

  private static final int LENGTH = 60;

  private Excerpt() {}

  /** The beginning of a text for a message, marked when it is cut. */
  public static String of(String text) {
    return text.length() <= LENGTH ? text : beginning(text, LENGTH) + "...";
  }

  /** The beginning of a text, of at most so many characters (UTF-16). */
  public static String beginning(String text, int length) {
    return text.length() <= length ? text : text.substring(0, floor(text, length));
  }

  /** The index, or the one before when it is within a surrogate pair. */
  public static int floor(String text, int index) {
    boolean isWithin = index > 0
        && index < text.length()
        && Character.isLowSurrogate(text.charAt(index))
        && Character.isHighSurrogate(text.charAt(index - 1));
    return isWithin ? index - 1 : index;
  }
}
