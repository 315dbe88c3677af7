package dev.agentreplay.model.internal;

/** Cuts text for messages. */
public final class Excerpt {

  private static final int LENGTH = 60;

  private Excerpt() {}

  /** The beginning of a text, marked when it is cut; never half a surrogate pair. */
  public static String of(String text) {
    if (text.length() <= LENGTH) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(LENGTH - 1)) ? LENGTH - 1 : LENGTH;
    return text.substring(0, end) + "...";
  }
}
