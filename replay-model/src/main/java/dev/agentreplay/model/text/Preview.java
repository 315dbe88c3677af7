package dev.agentreplay.model.text;

/**
 * Creates previews of long texts for people, as specification 000 defines them. A hash is always
 * that of the full value, never that of a preview. Lengths are in Unicode code points, so that a
 * preview never splits a surrogate pair.
 */
public final class Preview {

  private static final int OUTPUT_LENGTH = 2_000;
  private static final int STREAM_LENGTH = 10_000;
  private static final String GAP = "...";

  private Preview() {}

  /**
   * Returns the preview of a tool's output: the text itself if it has at most 2,000 code points,
   * else its first 1,000, {@code "..."} and its last 1,000.
   */
  public static String ofOutput(String text) {
    return of(text, OUTPUT_LENGTH);
  }

  /**
   * Returns the preview of the standard output or error of a process: the text itself if it has at
   * most 10,000 code points, else its first 5,000, {@code "..."} and its last 5,000.
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

  /**
   * Whether a text has more code points than {@code length}. They are counted only if the number of
   * UTF-16 code units does not decide it.
   */
  private static boolean isLonger(String text, int length) {
    return text.length() > 2 * length
        || (text.length() > length && text.codePointCount(0, text.length()) > length);
  }
}
