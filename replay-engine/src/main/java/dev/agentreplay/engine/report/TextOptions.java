package dev.agentreplay.engine.report;

/**
 * Options of {@link TextReport}. Immutable.
 *
 * @param width the width in columns, from {@value #MIN_WIDTH} to {@value #MAX_WIDTH}
 * @param color whether severities and the changed parts of lines are colored with ANSI escape
 *     sequences (ECMA-48, SGR)
 * @param maxDivergences the maximum number of divergences listed, of those in the comparison; if
 *     there are more, the root cause is listed first, then independent, then downstream ones
 * @param full whether downstream divergences are shown in as much detail as their root cause, those
 *     of the severity {@code NONE} are listed, and all excerpts are longer
 */
public record TextOptions(int width, boolean color, int maxDivergences, boolean full) {

  /** The smallest width, in columns. */
  public static final int MIN_WIDTH = 80;

  /** The largest width, in columns. */
  public static final int MAX_WIDTH = 120;

  /** The default of {@link #maxDivergences}. */
  public static final int DEFAULT_MAX_DIVERGENCES = 20;

  private static final TextOptions DEFAULTS =
      new TextOptions(100, false, DEFAULT_MAX_DIVERGENCES, false);

  /**
   * Creates options.
   *
   * @throws IllegalArgumentException if the width is out of range, or {@code maxDivergences}
   *     negative
   */
  public TextOptions {
    if (width < MIN_WIDTH || width > MAX_WIDTH) {
      throw new IllegalArgumentException(
          "width must be from %d to %d: %d".formatted(MIN_WIDTH, MAX_WIDTH, width));
    }
    if (maxDivergences < 0) {
      throw new IllegalArgumentException("maxDivergences must not be negative: " + maxDivergences);
    }
  }

  /** Returns the default options: 100 columns, no color, 20 divergences, not full. */
  public static TextOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns these options with a different width.
   *
   * @throws IllegalArgumentException if the width is out of range
   */
  public TextOptions withWidth(int newWidth) {
    return new TextOptions(newWidth, color, maxDivergences, full);
  }

  /** Returns these options with colors enabled or disabled. */
  public TextOptions withColor(boolean newColor) {
    return new TextOptions(width, newColor, maxDivergences, full);
  }

  /**
   * Returns these options with a different maximum number of listed divergences.
   *
   * @throws IllegalArgumentException if the number is negative
   */
  public TextOptions withMaxDivergences(int newMaxDivergences) {
    return new TextOptions(width, color, newMaxDivergences, full);
  }

  /** Returns these options with full output enabled or disabled. */
  public TextOptions withFull(boolean newFull) {
    return new TextOptions(width, color, maxDivergences, newFull);
  }
}
