package dev.agentreplay.engine.diff.value;

/** How often each rule of a comparison applied on either side. */
public final class RuleCounts {

  /** By the number of the rule, for each side in turn. */
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

  /** Adds what was counted elsewhere under the same rules. */
  public void add(RuleCounts others) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += others.counts[i];
    }
  }

  private static int index(int rule, Side side) {
    return 2 * rule + (side == Side.LEFT ? 0 : 1);
  }
}
