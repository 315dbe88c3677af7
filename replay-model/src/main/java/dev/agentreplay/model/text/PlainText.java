package dev.agentreplay.model.text;

import java.util.Locale;

/**
 * Makes untrusted text safe to show on one line of a terminal: it cannot send control sequences,
 * change the text direction, or hide characters, so that no two different texts look the same
 * because of an invisible character.
 *
 * <p>The characters replaced are control and format characters, separators, lone surrogates, every
 * {@code Default_Ignorable_Code_Point} (Unicode 15, DerivedCoreProperties), and every blank
 * character except the space. The variation selectors U+FE0E and U+FE0F are kept after a symbol,
 * because they are part of most emoji. Safe for use by several threads.
 */
public final class PlainText {

  private static final int NOT_SHOWN = 0xfffd;
  private static final int BLANK = 0x2423; // OPEN BOX

  /**
   * The ranges, with first and last character, of invisible and blank characters that are not in
   * one of the categories of {@link #isShown(int)}.
   */
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
   * Returns the text on one line: control characters, line breaks and invisible characters are
   * replaced by {@linkplain #picture pictures}. The number of code points stays the same.
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

  /** Returns the text with each character that is not shown replaced by its JSON escape. */
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

  /**
   * Appends the JSON escape of a character: two escapes for one outside the Basic Multilingual
   * Plane.
   */
  public static void escape(int c, StringBuilder out) {
    for (char unit : Character.toChars(c)) {
      out.append("\\u%04x".formatted((int) unit));
    }
  }

  /** Whether a character is visible and is shown unchanged. */
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

  /**
   * Whether a character is shown unchanged after the character {@code before}; 0 at the beginning
   * of the text.
   */
  public static boolean isShown(int c, int before) {
    return isShown(c) || (isEmojiStyle(c) && isSymbol(before));
  }

  /**
   * Returns the character that is shown instead of one that is not {@linkplain #isShown(int)
   * shown}.
   */
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

  /**
   * Returns the beginning of the text in plain form, cut to {@code width} code points, at least 1;
   * {@code …} marks the cut.
   */
  public static String fit(String text, int width) {
    // recorded outputs are long: only the part that can be shown is scanned
    String beginning = text.substring(0, Math.min(text.length(), 4 * width));
    String plain = of(beginning);
    boolean cut = beginning.length() < text.length();
    if (!cut && plain.codePointCount(0, plain.length()) <= width) {
      return plain;
    }
    int end = Math.min(width - 1, plain.codePointCount(0, plain.length()));
    return plain.substring(0, plain.offsetByCodePoints(0, end)) + "…";
  }

  /**
   * Returns the end of the text in plain form, such as of a path, cut to {@code width} code points,
   * at least 1; {@code …} marks the cut.
   */
  public static String fitEnd(String text, int width) {
    String end = of(text.substring(Math.max(0, text.length() - 4 * width)));
    int length = end.codePointCount(0, end.length());
    if (length <= width) {
      return end;
    }
    return "…" + end.substring(end.offsetByCodePoints(0, length - width + 1));
  }

  /** Returns a number with a noun for people, as in {@code 2 lines}, with thousands separators. */
  public static String count(long number, String noun) {
    return String.format(Locale.ROOT, "%,d %s%s", number, noun, number == 1 ? "" : "s");
  }
}
