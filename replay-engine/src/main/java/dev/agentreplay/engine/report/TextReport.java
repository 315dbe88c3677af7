package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.RunAgreement;
import dev.agentreplay.engine.diff.SessionDiff;

/**
 * Comparisons as text, for a terminal: what changed, where, and whether it matters, in the first
 * line; then what there is to see of each divergence.
 *
 * <p>What was recorded is shown with pictures in place of the characters that a terminal would
 * obey. No line is wider than the width, as far as each character is one column wide.
 *
 * @param width how many columns there are, from {@value #MIN_WIDTH} to {@value #MAX_WIDTH}
 * @param color whether severities, and what changed in a line, are coloured (ECMA-48, SGR)
 * @param full whether divergences that follow from others are shown like those they follow from,
 *     and longer excerpts of all
 */
public record TextReport(int width, boolean color, boolean full) {

  /** The narrowest report. */
  public static final int MIN_WIDTH = 80;

  /** The widest report. */
  public static final int MAX_WIDTH = 120;

  private static final TextReport DEFAULTS = new TextReport(100, false, false);

  /** Checks the width. */
  public TextReport {
    if (width < MIN_WIDTH || width > MAX_WIDTH) {
      throw new IllegalArgumentException(
          "width must be from %d to %d: %d".formatted(MIN_WIDTH, MAX_WIDTH, width));
    }
  }

  /** 100 columns, no colour, the essential. */
  public static TextReport defaults() {
    return DEFAULTS;
  }

  /** With another width. */
  public TextReport withWidth(int newWidth) {
    return new TextReport(newWidth, color, full);
  }

  /** With colours, or without. */
  public TextReport withColor(boolean newColor) {
    return new TextReport(width, newColor, full);
  }

  /** With all that there is to see, or the essential. */
  public TextReport withFull(boolean newFull) {
    return new TextReport(width, color, newFull);
  }

  /** The report; each line ends with a line feed. */
  public String render(SessionDiff diff) {
    return new DiffText(this, diff).render();
  }

  /** The report of several runs; each line ends with a line feed. */
  public String render(RunAgreement agreement) {
    return new AgreementText(this, agreement).render();
  }
}
