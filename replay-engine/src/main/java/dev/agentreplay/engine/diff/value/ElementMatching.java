package dev.agentreplay.engine.diff.value;

import java.util.List;
import java.util.function.BiPredicate;

/**
 * Pairs as many elements as possible (a maximum flow by augmenting paths). The nodes are lists of
 * elements that are equal to exactly the same others. Nodes of the same form cannot simply be
 * paired first, because equality is not transitive: {@code {"load":1}} is equal to <code>{ }</code>
 * and to <code>{}</code>, which differ, if {@code load} is ignored.
 */
final class ElementMatching {

  private final int[] freeLeft;
  private final int[] freeRight;
  private final boolean[][] isEqual;

  /** The number of pairs of each left and right node. */
  private final int[][] pairs;

  private boolean[] isLeftVisited = {};
  private boolean[] isRightVisited = {};

  ElementMatching(
      List<List<ComparedValue>> left,
      List<List<ComparedValue>> right,
      BiPredicate<ComparedValue, ComparedValue> equality) {
    freeLeft = left.stream().mapToInt(List::size).toArray();
    freeRight = right.stream().mapToInt(List::size).toArray();
    isEqual = new boolean[freeLeft.length][freeRight.length];
    pairs = new int[freeLeft.length][freeRight.length];
    for (int l = 0; l < freeLeft.length; l++) {
      for (int r = 0; r < freeRight.length; r++) {
        isEqual[l][r] = equality.test(left.get(l).get(0), right.get(r).get(0));
      }
    }
    for (int l = 0; l < freeLeft.length; l++) {
      int paired;
      do {
        isLeftVisited = new boolean[freeLeft.length];
        isRightVisited = new boolean[freeRight.length];
        paired = freeLeft[l] == 0 ? 0 : pair(l, freeLeft[l]);
        freeLeft[l] -= paired;
      } while (paired > 0);
    }
  }

  /** The number of elements of each left node without a partner. */
  int[] freeLeft() {
    return freeLeft;
  }

  /** The number of elements of each right node without a partner. */
  int[] freeRight() {
    return freeRight;
  }

  /** Pairs at most {@code most} elements of a left node; returns their number, 0 if none can be. */
  private int pair(int l, int most) {
    isLeftVisited[l] = true;
    for (int r = 0; r < freeRight.length; r++) {
      if (isEqual[l][r] && freeRight[r] > 0) {
        int paired = Math.min(most, freeRight[r]);
        freeRight[r] -= paired;
        pairs[l][r] += paired;
        return paired;
      }
    }
    for (int r = 0; r < freeRight.length; r++) {
      if (isEqual[l][r] && !isRightVisited[r]) {
        isRightVisited[r] = true;
        int paired = takeOver(l, r, most);
        if (paired > 0) {
          return paired;
        }
      }
    }
    return 0;
  }

  /** Pairs elements with those of a right node whose partners find others. */
  private int takeOver(int l, int r, int most) {
    for (int other = 0; other < freeLeft.length; other++) {
      if (pairs[other][r] > 0 && !isLeftVisited[other]) {
        int moved = pair(other, Math.min(most, pairs[other][r]));
        if (moved > 0) {
          pairs[other][r] -= moved;
          pairs[l][r] += moved;
          return moved;
        }
      }
    }
    return 0;
  }
}
