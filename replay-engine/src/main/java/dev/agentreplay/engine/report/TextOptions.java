package dev.agentreplay.engine.report;

/**
 * The form of {@link TextReport}.
 *
 * @param width how many columns there are, from {@value #MIN_WIDTH} to {@value #MAX_WIDTH}
 * @param color whether severities, and what changed in a line, are coloured (ECMA-48, SGR)
 * @param full whether divergences that follow from others are shown like those they follow from,
 *     and longer excerpts of all
 */
public record TextOptions(int width, boolean color, boolean full) {

  /** The narrowest report. */
  public static final int MIN_WIDTH = 80;

  /** The widest report. */
  public static final int MAX_WIDTH = 120;

  private static final TextOptions DEFAULTS = new TextOptions(100, false, false);

  /** Checks the width. */
  public TextOptions {
    if (width < MIN_WIDTH || width > MAX_WIDTH) {
      throw new IllegalArgumentException(
          "width must be from %d to %d: %d".formatted(MIN_WIDTH, MAX_WIDTH, width));
    }
  }

  /** 100 columns, no colour, the essential. */
  public static TextOptions defaults() {
    return DEFAULTS;
  }

  /** With another width. */
  public TextOptions withWidth(int newWidth) {
    return new TextOptions(newWidth, color, full);
  }

  /** With colours, or without. */
  public TextOptions withColor(boolean newColor) {
    return new TextOptions(width, newColor, full);
  }

  /** With all that there is to see, or the essential. */
  public TextOptions withFull(boolean newFull) {
    return new TextOptions(width, color, newFull);
  }
}
