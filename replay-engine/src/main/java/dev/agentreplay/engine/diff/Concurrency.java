package dev.agentreplay.engine.diff;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * Finds the pairs of steps that are out of order only because of concurrency: any two pairs whose
 * order differs between the sessions ran at the same time in at least one of them.
 */
final class Concurrency {

  /** The most pairs out of order that are compared with each other; further ones count as moved. */
  private static final int MAX_SWAPS = 10_000;

  /** A pair of partners that is out of order. */
  private record Swap(int one, int other) {}

  private final List<IndexedStep> left;
  private final List<IndexedStep> right;
  private final int[] partner;
  private final Batches lefts;
  private final Batches rights;

  /**
   * For each left step, the largest index of an in-order partner of the steps before it; -1 when
   * there is none.
   */
  private final int[] before;

  /**
   * For each left step, the in-order partner of the first step, from it on, that has one; the
   * number of right steps when there is none.
   */
  private final int[] behind;

  private final List<Swap> swaps = new ArrayList<>();
  private final BitSet explained = new BitSet();

  /**
   * Explains the order of the given partners.
   *
   * @param partner the partner of each step on the left, or -1
   * @param inOrder the partner of each step on the left, or -1 also for partners out of order
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

  /** Whether concurrency explains the position of a step and its partner. */
  boolean explains(int one) {
    return explained.get(one);
  }

  /**
   * Pairs steps without partners that the predicate accepts, if concurrency explains their order.
   *
   * @param backward the partner of each step on the right, or -1
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

  /**
   * Pairs a step that ran alone with one of the steps that ran concurrently with the partner of a
   * neighbor.
   */
  private void pairWithBatch(
      int one, int neighbor, int[] backward, BiPredicate<IndexedStep, IndexedStep> alike) {
    if (neighbor >= 0 && neighbor < right.size() && rights.isConcurrent(neighbor)) {
      pair(one, rights.first(neighbor), rights.last(neighbor) + 1, backward, alike);
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

  /**
   * Whether concurrency explains the order of a pair relative to the partners in order and to the
   * pairs explained before; if so, adds the pair to the latter.
   */
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

  /** Whether two pairs are in the same order, or ran at the same time in one of the sessions. */
  private boolean fit(Swap one, Swap other) {
    return one.one() < other.one() == one.other() < other.other()
        || lefts.first(one.one()) == lefts.first(other.one())
        || rights.first(one.other()) == rights.first(other.other());
  }

  /**
   * The batches of concurrent steps of a session. A batch is a sequence of calls that were all made
   * before one of them returned, so that their order is not significant.
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

    /** The line at which a step ended: that of its result, or its own if it does not have one. */
    private static long end(IndexedStep step) {
      return step.result() == null ? step.at().line() : step.result().line();
    }
  }
}
