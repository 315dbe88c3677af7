package dev.agentreplay.engine.diff.value;

/**
 * The number of times that each rule of a comparison applied on each side. Not safe for use by
 * several threads.
 */
public final class RuleCounts {

  /**
   * The counts: at {@code 2 * rule} for the left side and at {@code 2 * rule + 1} for the right
   * side.
   */
  private final long[] counts;

  RuleCounts(int rules) {
    this.counts = new long[2 * rules];
  }

  public void count(int rule, Side side) {
    counts[index(rule, side)]++;
  }

  public long get(int rule, Side side) {
    return counts[index(rule, side)];
  }

  /** Adds the counts of another part of the comparison under the same rules. */
  public void add(RuleCounts others) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += others.counts[i];
    }
  }

  private static int index(int rule, Side side) {
    return 2 * rule + (side == Side.LEFT ? 0 : 1);
  }
}
