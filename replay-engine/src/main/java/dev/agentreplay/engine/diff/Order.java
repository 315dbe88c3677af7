package dev.agentreplay.engine.diff;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** The order of the pairs of steps of two sessions. */
final class Order {

  private final Intervals lefts;
  private final Intervals rights;

  /** The ends of the left steps, ascending. */
  private final long[] ends;

  /** The latest start of the partners of the steps that ended first, by their number. */
  private final long[] latestStart;

  /** The earliest end of the partners of the steps from an index on. */
  private final long[] earliestEnd;

  /**
   * Creates the order of pairs.
   *
   * @param partner the partner of each step on the left, or -1
   */
  Order(Intervals lefts, Intervals rights, int[] partner) {
    this.lefts = lefts;
    this.rights = rights;
    int size = lefts.size();
    int[] byEnd = IntStream.range(0, size)
        .boxed()
        .sorted(Comparator.comparingLong(lefts::end))
        .mapToInt(Integer::intValue)
        .toArray();
    this.ends = Arrays.stream(byEnd).mapToLong(lefts::end).toArray();
    this.latestStart = new long[size + 1];
    this.earliestEnd = new long[size + 1];
    for (int n = 0; n < size; n++) {
      int other = partner[byEnd[n]];
      latestStart[n + 1] = Math.max(latestStart[n], other < 0 ? 0 : rights.start(other));
    }
    earliestEnd[size] = Long.MAX_VALUE;
    for (int i = size - 1; i >= 0; i--) {
      int other = partner[i];
      earliestEnd[i] = Math.min(earliestEnd[i + 1], other < 0 ? Long.MAX_VALUE : rights.end(other));
    }
  }

  /** Whether a pair of steps ran before another pair in one session, and after it in the other. */
  boolean isBroken(int one, int other) {
    int before = index(ends, lefts.start(one));
    return latestStart[before] > rights.end(other)
        || earliestEnd[firstAfter(lefts.end(one))] < rights.start(other);
  }

  /** The number of values that are less than a limit. */
  private static int index(long[] ascending, long limit) {
    int found = Arrays.binarySearch(ascending, limit);
    int index = found < 0 ? -found - 1 : found;
    while (index > 0 && ascending[index - 1] == limit) {
      index--;
    }
    return index;
  }

  /** The first left step that began after a line. */
  private int firstAfter(long line) {
    int low = 0;
    int high = lefts.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (lefts.start(middle) > line) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
