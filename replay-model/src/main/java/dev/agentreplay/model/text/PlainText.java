package dev.agentreplay.model.text;

import java.util.Locale;

/**
 * Text that may hold anything, as it can be shown on one line: it controls no terminal, turns no
 * direction, and no two texts that differ look alike because a character of one is not seen.
 *
 * <p>Not shown as themselves are control and format characters, separators, lone surrogates, every
 * {@code Default_Ignorable_Code_Point} (Unicode 15, DerivedCoreProperties), and every blank but the
 * space. Of the variation selectors, U+FE0E and U+FE0F are left behind a symbol, because they are
 * part of most emoji.
 */
public final class PlainText {

  private static final int NOT_SHOWN = 0xfffd;
  private static final int BLANK = 0x2423; // OPEN BOX

  /** First and last of what has no form of its own, or is blank, and is of no category for that. */
  private static final int[][] NOT_SEEN = {
    {0x034f, 0x034f},
    {0x115f, 0x1160},
    {0x17b4, 0x17b5},
    {0x180b, 0x180f},
    {0x2065, 0x2065},
    {0x2800, 0x2800},
    {0x3164, 0x3164},
    {0xfe00, 0xfe0f},
    {0xffa0, 0xffa0},
    {0xfff0, 0xfff8},
    {0xe0000, 0xe0fff},
  };

  private PlainText() {}

  /**
   * The text on one line: what a terminal would obey, what would break the line and what would not
   * be seen is shown as a picture. It has as many code points as before.
   */
  public static String of(String text) {
    int i = 0;
    while (i < text.length() && isPrintableAscii(text.charAt(i))) {
      i++;
    }
    if (i == text.length()) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length()).append(text, 0, i);
    int before = 0;
    while (i < text.length()) {
      int c = text.codePointAt(i);
      out.appendCodePoint(isShown(c, before) ? c : picture(c));
      before = c;
      i += Character.charCount(c);
    }
    return out.toString();
  }

  /** The text with each character that is not shown as its escape in JSON. */
  public static String escaped(String text) {
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints().forEach(c -> {
      if (isShown(c)) {
        out.appendCodePoint(c);
      } else {
        escape(c, out);
      }
    });
    return out.toString();
  }

  /** Appends the escape of a character in JSON, of two if it needs them. */
  public static void escape(int c, StringBuilder out) {
    for (char unit : Character.toChars(c)) {
      out.append("\\u%04x".formatted((int) unit));
    }
  }

  /** Whether a character is shown as itself, and is seen. */
  public static boolean isShown(int c) {
    if (c < 0x7f) {
      return c >= 0x20;
    }
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SPACE_SEPARATOR,
          Character.SURROGATE -> false;
      default -> isSeen(c);
    };
  }

  /** Whether a character is shown as itself behind another one; 0 at the beginning. */
  public static boolean isShown(int c, int before) {
    return isShown(c) || (isEmojiStyle(c) && isSymbol(before));
  }

  /** What is shown instead of a character that is not shown as itself. */
  public static int picture(int c) {
    if (c < 0x20) {
      return 0x2400 + c; // CONTROL PICTURES
    }
    if (c == 0x7f) {
      return 0x2421;
    }
    boolean isBlank = Character.getType(c) == Character.SPACE_SEPARATOR
        || c == 0x2800
        || c == 0x3164
        || c == 0xffa0;
    return isBlank ? BLANK : NOT_SHOWN;
  }

  private static boolean isPrintableAscii(char c) {
    return c >= 0x20 && c < 0x7f;
  }

  private static boolean isSeen(int c) {
    if (c < NOT_SEEN[0][0]) {
      return true;
    }
    for (int[] range : NOT_SEEN) {
      if (c >= range[0] && c <= range[1]) {
        return false;
      }
    }
    return true;
  }

  private static boolean isEmojiStyle(int c) {
    return c == 0xfe0e || c == 0xfe0f;
  }

  private static boolean isSymbol(int c) {
    int type = Character.getType(c);
    return c > 0x7f
        && (type == Character.OTHER_SYMBOL || type == Character.MATH_SYMBOL)
        && isShown(c);
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

  /** A number of things for people, as in {@code 2 lines}; its thousands are apart. */
  public static String count(long number, String noun) {
    return String.format(Locale.ROOT, "%,d %s%s", number, noun, number == 1 ? "" : "s");
  }
}
