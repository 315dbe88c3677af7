package dev.agentreplay.cli;

import dev.agentreplay.model.Severity;
import dev.agentreplay.verify.Verdict;
import java.util.Locale;
import java.util.regex.Pattern;

/** Colours, and text that is safe and fits. */
final class Style {

  /** Reports fit into so many columns. */
  static final int WIDTH = 100;

  private static final Pattern HASH = Pattern.compile("(sha256:)?\\b([0-9a-f]{12})[0-9a-f]{52}\\b");

  private final boolean color;

  Style(boolean color) {
    this.color = color;
  }

  String bold(String text) {
    return paint("1", text);
  }

  String dim(String text) {
    return paint("2", text);
  }

  String good(String text) {
    return paint("32", text);
  }

  String bad(String text) {
    return paint("31;1", text);
  }

  String warn(String text) {
    return paint("33", text);
  }

  String name(String text) {
    return paint("36", text);
  }

  /** A verdict, as it is written in reports. */
  String verdict(Verdict verdict) {
    return verdict(verdict, 0);
  }

  /** A verdict, filled up with blanks to a width. */
  String verdict(Verdict verdict, int width) {
    String name = verdict.name();
    boolean isCalm = verdict == Verdict.VALID || verdict == Verdict.UNVERIFIED;
    String text = isCalm ? name.toLowerCase(Locale.ROOT) : name;
    String padded = text + " ".repeat(Math.max(0, width - text.length()));
    return switch (verdict) {
      case VALID -> good(padded);
      case UNVERIFIED -> warn(padded);
      case INVALID, UNREADABLE -> bad(padded);
    };
  }

  /** A text, as bad as it is. */
  String severity(Severity severity, String text) {
    return switch (severity) {
      case UNREADABLE, ERROR -> bad(text);
      case WARNING -> warn(text);
      case INFO -> dim(text);
    };
  }

  private String paint(String code, String text) {
    return color ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }

  /**
   * The text on one line: what a terminal would obey, or would break the line, is shown as a
   * picture, since recorded output may hold anything.
   */
  static String plain(String text) {
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints().forEach(c -> out.appendCodePoint(visible(c)));
    return out.toString();
  }

  private static int visible(int c) {
    if (c < 0x20) {
      return 0x2400 + c; // CONTROL PICTURES
    }
    if (c == 0x7f) {
      return 0x2421;
    }
    boolean invisible = Character.getType(c) == Character.CONTROL
        || Character.getType(c) == Character.FORMAT
        || Character.getType(c) == Character.LINE_SEPARATOR
        || Character.getType(c) == Character.PARAGRAPH_SEPARATOR;
    return invisible ? 0xfffd : c;
  }

  /** The text, plain, cut to a width. */
  static String fit(String text, int width) {
    // more than the width is never looked at: recorded outputs are long
    String beginning = text.substring(0, Math.min(text.length(), 4 * width));
    String plain = plain(beginning);
    boolean cut = beginning.length() < text.length();
    if (!cut && plain.codePointCount(0, plain.length()) <= width) {
      return plain;
    }
    int end = Math.min(width - 1, plain.codePointCount(0, plain.length()));
    return plain.substring(0, plain.offsetByCodePoints(0, end)) + "…";
  }

  /** The text with each SHA-256 hash cut to its beginning. */
  static String shortHashes(String text) {
    return HASH.matcher(text).replaceAll("$1$2…");
  }
}
