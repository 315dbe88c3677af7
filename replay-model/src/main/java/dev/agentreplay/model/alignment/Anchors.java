package dev.agentreplay.model.alignment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the elements that occur once in each of two sequences, in an order common to both. */
final class Anchors {

  private static final int REPEATED = -1;

  private Anchors() {}

  /** Returns as many pairs of indices as possible, increasing on both sides. */
  static List<int[]> of(long[] left, long[] right) {
    Map<Long, Integer> inLeft = once(left);
    Map<Long, Integer> inRight = once(right);
    List<int[]> common = new ArrayList<>();
    for (int i = 0; i < left.length; i++) {
      int at = inRight.getOrDefault(left[i], REPEATED);
      if (inLeft.getOrDefault(left[i], REPEATED) == i && at != REPEATED) {
        common.add(new int[] {i, at});
      }
    }
    return longestIncreasing(common);
  }

  /** Returns the index of each element, or {@link #REPEATED} for an element that occurs again. */
  private static Map<Long, Integer> once(long[] values) {
    Map<Long, Integer> positions = new HashMap<>();
    for (int i = 0; i < values.length; i++) {
      positions.merge(values[i], i, (first, again) -> REPEATED);
    }
    return positions;
  }

  /** Returns the longest subsequence with increasing right indices, by patience sorting. */
  private static List<int[]> longestIncreasing(List<int[]> pairs) {
    int[] tops = new int[pairs.size()];
    int[] before = new int[pairs.size()];
    int[] piles = new int[pairs.size()];
    int length = 0;
    for (int i = 0; i < pairs.size(); i++) {
      int found = Arrays.binarySearch(tops, 0, length, pairs.get(i)[1]);
      int pile = found < 0 ? -found - 1 : found;
      tops[pile] = pairs.get(i)[1];
      piles[pile] = i;
      before[i] = pile == 0 ? -1 : piles[pile - 1];
      length = Math.max(length, pile + 1);
    }
    List<int[]> longest = new ArrayList<>();
    for (int i = length == 0 ? -1 : piles[length - 1]; i >= 0; i = before[i]) {
      longest.add(pairs.get(i));
    }
    Collections.reverse(longest);
    return longest;
  }
}
