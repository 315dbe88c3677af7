package dev.agentreplay.engine.internal;

/** Recorded text, which may hold anything, as it can be shown on one line. */
public final class PlainText {

  private PlainText() {}

  /**
   * The text on one line: what a terminal would obey, or would break the line, is shown as a
   * picture. It has as many code points as before.
   */
  public static String of(String text) {
    int i = 0;
    while (i < text.length() && isPrintableAscii(text.charAt(i))) {
      i++;
    }
    if (i == text.length()) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints().forEach(c -> out.appendCodePoint(visible(c)));
    return out.toString();
  }

  private static boolean isPrintableAscii(char c) {
    return c >= 0x20 && c < 0x7f;
  }

  private static int visible(int c) {
    if (c < 0x20) {
      return 0x2400 + c; // CONTROL PICTURES
    }
    if (c == 0x7f) {
      return 0x2421;
    }
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE -> 0xfffd;
      default -> c;
    };
  }

  /** The beginning of the text, plain; marked when it is cut, to a width of at least 1. */
  public static String fit(String text, int width) {
    // more than the width is never looked at: recorded outputs are long
    String beginning = text.substring(0, Math.min(text.length(), 4 * width));
    String plain = of(beginning);
    boolean cut = beginning.length() < text.length();
    if (!cut && plain.codePointCount(0, plain.length()) <= width) {
      return plain;
    }
    int end = Math.min(width - 1, plain.codePointCount(0, plain.length()));
    return plain.substring(0, plain.offsetByCodePoints(0, end)) + "…";
  }

  /** The end of the text, plain, as of a path; marked when it is cut, to a width of at least 1. */
  public static String fitEnd(String text, int width) {
    String end = of(text.substring(Math.max(0, text.length() - 4 * width)));
    int length = end.codePointCount(0, end.length());
    if (length <= width) {
      return end;
    }
    return "…" + end.substring(end.offsetByCodePoints(0, length - width + 1));
  }
}
