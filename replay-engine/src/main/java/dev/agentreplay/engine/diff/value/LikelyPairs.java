package dev.agentreplay.engine.diff.value;

import dev.agentreplay.model.json.JsonString;
import java.util.Arrays;

/**
 * Pairs the elements in the gaps of two arrays, none of which are equal, in order: as many as
 * possible, and those with the greatest sum of similarities (a sequence alignment by dynamic
 * programming). So an element that was inserted next to a changed one is distinguished from it.
 */
final class LikelyPairs {

  /** The most comparisons of elements; in larger gaps the elements are paired by their position. */
  private static final int MAX_COMPARISONS = 2_500;

  private static final int MAX_TEXT = 1_000;

  private LikelyPairs() {}

  /** Returns for each element of the shorter part the index of its partner in the longer one. */
  static int[] of(ComparedValue[] shorter, ComparedValue[] longer, ValueDigests digests) {
    int[] paired = new int[shorter.length];
    Arrays.setAll(paired, i -> i);
    if (shorter.length == longer.length
        || (long) shorter.length * longer.length > MAX_COMPARISONS) {
      return paired;
    }
    // the greatest sum of similarities of the first i, paired with i of the first j
    double[][] best = new double[shorter.length + 1][longer.length + 1];
    for (int i = 1; i <= shorter.length; i++) {
      Arrays.fill(best[i], Double.NEGATIVE_INFINITY);
      for (int j = i; j <= longer.length; j++) {
        best[i][j] = Math.max(
            best[i][j - 1], best[i - 1][j - 1] + likeness(shorter[i - 1], longer[j - 1], digests));
      }
    }
    int j = longer.length;
    for (int i = shorter.length; i > 0; i--) {
      while (best[i][j - 1] >= best[i][j]) {
        j--;
      }
      paired[i - 1] = --j;
    }
    return paired;
  }

  /** The similarity of two values, from 0, for different types, to 2, for equal values. */
  private static double likeness(ComparedValue left, ComparedValue right, ValueDigests digests) {
    if (!left.original.typeName().equals(right.original.typeName())) {
      return 0;
    }
    if (left.isObject()) {
      int equal = 0;
      for (ComparedValue member : left.children) {
        ComparedValue other = right.member(member.name);
        equal += other != null && isEqual(member, other, digests) ? 1 : 0;
      }
      return 1 + share(equal, left.children.length, right.children.length);
    }
    if (left.isArray()) {
      int both = Math.min(left.children.length, right.children.length);
      int equal = 0;
      while (equal < both && isEqual(left.children[equal], right.children[equal], digests)) {
        equal++;
      }
      return 1 + share(equal, left.children.length, right.children.length);
    }
    return left.scalar() instanceof JsonString a && right.scalar() instanceof JsonString b
        ? 1 + likeness(a.value(), b.value())
        : 1;
  }

  /** The length of the common prefix and suffix of two texts as a share of both texts. */
  private static double likeness(String left, String right) {
    int both = Math.min(MAX_TEXT, Math.min(left.length(), right.length()));
    int equal = 0;
    while (equal < both && left.charAt(equal) == right.charAt(equal)) {
      equal++;
    }
    int end = 0;
    while (end < both - equal
        && left.charAt(left.length() - 1 - end) == right.charAt(right.length() - 1 - end)) {
      end++;
    }
    return share(equal + end, left.length(), right.length());
  }

  private static double share(int equal, int left, int right) {
    return 2.0 * equal / Math.max(1, (double) left + right);
  }

  private static boolean isEqual(ComparedValue left, ComparedValue right, ValueDigests digests) {
    return Arrays.equals(left.digest(digests), right.digest(digests));
  }
}
