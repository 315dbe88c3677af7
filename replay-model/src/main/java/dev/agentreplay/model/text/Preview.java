package dev.agentreplay.model.text;

/**
 * Shortens text for people, as specification 000 says. A hash is always that of the full value,
 * never that of a preview. Characters are Unicode code points: no preview ends within one.
 */
public final class Preview {

  private static final int OUTPUT_LENGTH = 2_000;
  private static final int STREAM_LENGTH = 10_000;
  private static final String GAP = "...";

  private Preview() {}

  /**
   * The preview of what a tool returned: a text of at most 2,000 characters as it is, else its
   * first 1,000, {@code "..."} and its last 1,000.
   */
  public static String ofOutput(String text) {
    return of(text, OUTPUT_LENGTH);
  }

  /**
   * The preview of what a process wrote to its standard output or error: a text of at most 10,000
   * characters as it is, else its first 5,000, {@code "..."} and its last 5,000.
   */
  public static String ofStream(String text) {
    return of(text, STREAM_LENGTH);
  }

  private static String of(String text, int length) {
    if (!isLonger(text, length)) {
      return text;
    }
    int head = text.offsetByCodePoints(0, length / 2);
    int tail = text.offsetByCodePoints(text.length(), -length / 2);
    return text.substring(0, head) + GAP + text.substring(tail);
  }

  /** A code point is one or two units of UTF-16, so most texts need not be counted. */
  private static boolean isLonger(String text, int length) {
    return text.length() > 2 * length
        || (text.length() > length && text.codePointCount(0, text.length()) > length);
  }
}
