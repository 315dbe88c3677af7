package dev.agentreplay.engine.attribution;

/**
 * A number of trials of which some had an outcome, and the 95 % confidence interval of its
 * probability (Wilson score interval).
 *
 * @param count the number of trials with the outcome
 * @param of the number of trials
 * @param isCertain whether no result was executed, by these trials or earlier ones whose results
 *     they took over, so that each repetition would be the same
 */
public record Proportion(int count, int of, boolean isCertain) {

  private static final double Z = 1.959964;

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if a number is negative, or {@code count} more than {@code of}
   */
  public Proportion {
    if (count < 0 || count > of) {
      throw new IllegalArgumentException("expected 0 to %d, found %d".formatted(of, count));
    }
  }

  /** The lower end of the interval, from 0 to 1. */
  public double lower() {
    return bound(-1);
  }

  /** The upper end of the interval, from 0 to 1. */
  public double upper() {
    return bound(1);
  }

  private double bound(int sign) {
    if (of == 0) {
      return sign < 0 ? 0 : 1;
    }
    double rate = (double) count / of;
    if (isCertain && (count == 0 || count == of)) {
      return rate;
    }
    double squared = Z * Z;
    double middle = rate + squared / (2 * of);
    double width = Z * Math.sqrt(rate * (1 - rate) / of + squared / (4.0 * of * of));
    double end = (middle + sign * width) / (1 + squared / of);
    return Math.min(1, Math.max(0, end));
  }
}
