package dev.agentreplay.cli.text;

import dev.agentreplay.model.finding.Severity;
import dev.agentreplay.model.text.LabelledText;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.report.VerificationText;

/** Colors for text, and text that is safe to print and fits a width. */
public final class Style implements VerificationText.Style {

  /** The width of reports, in columns. */
  public static final int WIDTH = LabelledText.WIDTH;

  private final boolean color;

  public Style(boolean color) {
    this.color = color;
  }

  @Override
  public String bold(String text) {
    return paint("1", text);
  }

  public String dim(String text) {
    return paint("2", text);
  }

  public String hit(String text) {
    return paint("33;1", text);
  }

  public String good(String text) {
    return paint("32", text);
  }

  public String bad(String text) {
    return paint("31;1", text);
  }

  public String warn(String text) {
    return paint("33", text);
  }

  public String name(String text) {
    return paint("36", text);
  }

  @Override
  public String verdict(Verdict verdict, String text) {
    return switch (verdict) {
      case VALID -> good(text);
      case UNVERIFIED -> warn(text);
      case INVALID, UNREADABLE -> bad(text);
    };
  }

  @Override
  public String severity(Severity severity, String text) {
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
  public static String plain(String text) {
    return PlainText.of(text);
  }

  /** The text, plain, cut to a width. */
  public static String fit(String text, int width) {
    return PlainText.fit(text, width);
  }
}
