package dev.agentreplay.engine.diff;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * Finds out which partners stand in another order only because they ran at the same time as those
 * that they passed: any two pairs whose order is another one ran at the same time in one of the
 * sessions at least.
 */
final class Concurrency {

  /** So many pairs are held against each other; more than that were moved. */
  private static final int MAX_SWAPS = 10_000;

  /** Two steps that are partners out of order. */
  private record Swap(int one, int other) {}

  private final List<IndexedStep> left;
  private final List<IndexedStep> right;
  private final int[] partner;
  private final Batches lefts;
  private final Batches rights;

  /** The last partner in order of the steps before each, and the first of those behind it. */
  private final int[] before;

  private final int[] behind;
  private final List<Swap> swaps = new ArrayList<>();
  private final BitSet explained = new BitSet();

  /**
   * What the order of partners says.
   *
   * @param partner of each step on the left the partner, or -1
   * @param inOrder the same, but for partners out of order
   */
  Concurrency(List<IndexedStep> left, List<IndexedStep> right, int[] partner, int[] inOrder) {
    this.left = left;
    this.right = right;
    this.partner = partner;
    this.lefts = Batches.of(left);
    this.rights = Batches.of(right);
    this.before = new int[left.size() + 1];
    this.behind = new int[left.size() + 1];
    before[0] = -1;
    for (int i = 0; i < left.size(); i++) {
      before[i + 1] = Math.max(before[i], inOrder[i]);
    }
    behind[left.size()] = right.size();
    for (int i = left.size() - 1; i >= 0; i--) {
      behind[i] = inOrder[i] >= 0 ? inOrder[i] : behind[i + 1];
    }
    for (int i = 0; i < left.size(); i++) {
      if (partner[i] >= 0 && inOrder[i] < 0) {
        explain(i, partner[i]);
      }
    }
  }

  /** Whether the order of a step and its partner says nothing. */
  boolean explains(int one) {
    return explained.get(one);
  }

  /**
   * Makes partners of steps that have none, if they are alike and their order says nothing.
   *
   * @param backward of each step on the right the partner, or -1
   */
  void pairRest(int[] backward, BiPredicate<IndexedStep, IndexedStep> alike) {
    for (int i = 0; i < left.size(); i++) {
      if (partner[i] >= 0) {
        continue;
      }
      if (lefts.isConcurrent(i)) {
        int from = before[lefts.first(i)] + 1;
        pair(i, from, behind[lefts.last(i) + 1], backward, alike);
      } else {
        pairWithBatch(i, before[i], backward, alike);
        pairWithBatch(i, behind[i], backward, alike);
      }
    }
  }

  /** A step that ran alone, with one of those that ran together with the partner of a neighbour. */
  private void pairWithBatch(
      int one, int neighbour, int[] backward, BiPredicate<IndexedStep, IndexedStep> alike) {
    if (neighbour >= 0 && neighbour < right.size() && rights.isConcurrent(neighbour)) {
      pair(one, rights.first(neighbour), rights.last(neighbour) + 1, backward, alike);
    }
  }

  private void pair(
      int one, int from, int to, int[] backward, BiPredicate<IndexedStep, IndexedStep> alike) {
    for (int j = from; j < to && partner[one] < 0; j++) {
      if (backward[j] < 0 && alike.test(left.get(one), right.get(j)) && explain(one, j)) {
        partner[one] = j;
        backward[j] = one;
      }
    }
  }

  /** Whether the order of a pair says nothing, beside partners in order and others of its kind. */
  private boolean explain(int one, int other) {
    boolean isExplained = (lefts.isConcurrent(one)
            && before[lefts.first(one)] < other
            && behind[lefts.last(one) + 1] > other)
        || (rights.isConcurrent(other)
            && before[one] <= rights.last(other)
            && behind[one] >= rights.first(other));
    Swap swap = new Swap(one, other);
    if (!isExplained || swaps.size() == MAX_SWAPS || !swaps.stream().allMatch(s -> fit(s, swap))) {
      return false;
    }
    swaps.add(swap);
    explained.set(one);
    return true;
  }

  /** Whether two pairs stand in one order, or ran at the same time in one of the sessions. */
  private boolean fit(Swap one, Swap other) {
    return one.one() < other.one() == one.other() < other.other()
        || lefts.first(one.one()) == lefts.first(other.one())
        || rights.first(one.other()) == rights.first(other.other());
  }

  /**
   * The steps of a session that ran at the same time: a batch is a run of calls that were all made
   * before one of them returned, so that their order says nothing.
   */
  private static final class Batches {

    private final int[] first;
    private final int[] last;

    private Batches(int size) {
      first = new int[size];
      last = new int[size];
    }

    static Batches of(List<IndexedStep> steps) {
      Batches batches = new Batches(steps.size());
      for (int from = 0; from < steps.size(); ) {
        int to = from + 1;
        for (long end = end(steps.get(from)); to < steps.size(); to++) {
          IndexedStep next = steps.get(to);
          if (next.at().line() > end || next.result() == null) {
            break;
          }
          end = Math.min(end, end(next));
        }
        for (int i = from; i < to; i++) {
          batches.first[i] = from;
          batches.last[i] = to - 1;
        }
        from = to;
      }
      return batches;
    }

    /** The first step of the batch that a step is in. */
    int first(int step) {
      return first[step];
    }

    /** The last step of the batch that a step is in. */
    int last(int step) {
      return last[step];
    }

    /** Whether a step ran at the same time as others. */
    boolean isConcurrent(int step) {
      return first[step] < last[step];
    }

    /** When it was over; at once, if it is an event that takes no time or was never answered. */
    private static long end(IndexedStep step) {
      return step.result() == null ? step.at().line() : step.result().line();
    }
  }
}
