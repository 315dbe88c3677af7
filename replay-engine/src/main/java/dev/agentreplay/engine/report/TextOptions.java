package dev.agentreplay.engine.report;

/**
 * Options of {@link TextReport}. Immutable.
 *
 * @param width the width in columns, from {@value #MIN_WIDTH} to {@value #MAX_WIDTH}
 * @param color whether severities and the changed parts of lines are coloured with ANSI escape
 *     sequences (ECMA-48, SGR)
 * @param full whether downstream divergences are shown in as much detail as their root cause, and
 *     all excerpts are longer
 */
public record TextOptions(int width, boolean color, boolean full) {

  /** The smallest width, in columns. */
  public static final int MIN_WIDTH = 80;

  /** The largest width, in columns. */
  public static final int MAX_WIDTH = 120;

  private static final TextOptions DEFAULTS = new TextOptions(100, false, false);

  /**
   * Creates options.
   *
   * @throws IllegalArgumentException if the width is out of range
   */
  public TextOptions {
    if (width < MIN_WIDTH || width > MAX_WIDTH) {
      throw new IllegalArgumentException(
          "width must be from %d to %d: %d".formatted(MIN_WIDTH, MAX_WIDTH, width));
    }
  }

  /** Returns the default options: 100 columns, no colour, not full. */
  public static TextOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns these options with a different width.
   *
   * @throws IllegalArgumentException if the width is out of range
   */
  public TextOptions withWidth(int newWidth) {
    return new TextOptions(newWidth, color, full);
  }

  /** Returns these options with colours enabled or disabled. */
  public TextOptions withColor(boolean newColor) {
    return new TextOptions(width, newColor, full);
  }

  /** Returns these options with full output enabled or disabled. */
  public TextOptions withFull(boolean newFull) {
    return new TextOptions(width, color, newFull);
  }
}
