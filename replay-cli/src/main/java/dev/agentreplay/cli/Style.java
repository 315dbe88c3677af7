package dev.agentreplay.cli;

import dev.agentreplay.model.Severity;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.verify.Verdict;
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
    boolean isCalm = verdict == Verdict.VALID || verdict == Verdict.UNVERIFIED;
    String text = isCalm ? verdict.id() : verdict.name();
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

  /** The text on one line, safe to show on a terminal. */
  static String plain(String text) {
    return PlainText.of(text);
  }

  /** The text, plain, cut to a width. */
  static String fit(String text, int width) {
    return PlainText.fit(text, width);
  }

  /** The text with each SHA-256 hash cut to its beginning. */
  static String shortHashes(String text) {
    return HASH.matcher(text).replaceAll("$1$2…");
  }
}
