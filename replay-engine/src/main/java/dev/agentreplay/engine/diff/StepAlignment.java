package dev.agentreplay.engine.diff;

import dev.agentreplay.engine.diff.AlignedStep.Relation;
import dev.agentreplay.model.alignment.Alignment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Aligns the steps of two sessions.
 *
 * <ol>
 *   <li>Steps of equal behavior are paired on a common subsequence ({@link Alignment}), which is
 *       the longest unless there are very many differences.
 *   <li>Among the other steps, those of equal behavior are paired too. They were moved, or ran
 *       concurrently with the steps that they passed, or were requested together with them by one
 *       answer of a model, so that their order is not significant.
 *   <li>In the gaps between the pairs of the first stage, steps are paired by similarity
 *       ({@link GapAlignment}): the same request; the same name, with the most words in common; the
 *       same kind. A gap of more than {@value #MAX_CELLS} possible pairs is first cut at equal
 *       requests, then at equal names.
 *   <li>Concurrent calls without a partner are paired: first those with the same request, then
 *       those of the same name.
 * </ol>
 *
 * <p>Calls whose partners are known are paired with these in all stages, and with no other step.
 *
 * <p>The time is linear when few steps differ, and bounded by the limits of {@link Alignment} and
 * of the gaps. The result is symmetric if no partners are known: whichever session is the left one,
 * they are aligned in the order of their fingerprints.
 */
final class StepAlignment {

  /** A pair of steps, as indices into the sessions; -1 when there is no partner. */
  record Pair(Relation relation, int left, int right) {

    /** Whether the steps are the same ones. */
    boolean hasSameSteps(Pair other) {
      return left == other.left && right == other.right;
    }

    private Pair mirrored() {
      Relation mirror =
          switch (relation) {
            case MISSING -> Relation.ADDED;
            case ADDED -> Relation.MISSING;
            case MATCHED, CHANGED, MOVED -> relation;
          };
      return new Pair(mirror, /* left= */ right, /* right= */ left);
    }
  }

  private static final int MAX_CELLS = 10_000;

  /** The partner of a call that is known to have none. */
  private static final int NO_PARTNER = Integer.MAX_VALUE;

  /** The keys at whose equal values large gaps are cut, from strict to loose. */
  private static final List<Function<IndexedStep, Object>> CUTS = List.of(
      step -> List.of(step.step().kind(), step.request()),
      step -> List.of(step.step().kind(), step.step().name()));

  private final List<IndexedStep> left;
  private final List<IndexedStep> right;
  private final int[] partner;
  private final int[] backward;

  /** The partner of each left step whose pairs are in the same order in both sessions, or -1. */
  private final int[] inOrder;

  private StepAlignment(List<IndexedStep> left, List<IndexedStep> right) {
    this.left = left;
    this.right = right;
    this.partner = filled(left.size());
    this.backward = filled(right.size());
    this.inOrder = filled(left.size());
  }

  /**
   * Returns the pairs in the order of both sessions. {@code MATCHED} and {@code MOVED} pairs have
   * equal behavior; {@code CHANGED} ones do not.
   */
  static List<Pair> of(
      List<IndexedStep> left, List<IndexedStep> right, @Nullable KnownPartners partners) {
    if (partners != null) {
      return new StepAlignment(left, right).align(partners);
    } else if (compare(left, right) <= 0) {
      return new StepAlignment(left, right).align();
    }
    return new StepAlignment(/* left= */ right, /* right= */ left)
        .align().stream().map(Pair::mirrored).toList();
  }

  /** An arbitrary but fixed order of two sessions, which makes the alignment symmetric. */
  private static int compare(List<IndexedStep> left, List<IndexedStep> right) {
    for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
      String one = left.get(i).step().fingerprint().toString();
      String other = right.get(i).step().fingerprint().toString();
      if (!one.equals(other)) {
        return one.compareTo(other);
      }
    }
    return Integer.compare(left.size(), right.size());
  }

  private List<Pair> align() {
    return align(Alignment.of(left, right, IndexedStep::conduct));
  }

  /** Pairs the calls with their partners first; those in the same order divide the other steps. */
  private List<Pair> align(KnownPartners partners) {
    Map<Long, Integer> rightCalls = new HashMap<>();
    Object[] rightKeys = new Object[right.size()];
    for (int j = 0; j < right.size(); j++) {
      IndexedStep step = right.get(j);
      rightKeys[j] = isCall(step) ? new Object() : step.conduct();
      if (isCall(step)) {
        rightCalls.put(step.step().line(), j);
        backward[j] = NO_PARTNER;
      }
    }
    Object[] leftKeys = new Object[left.size()];
    for (int i = 0; i < left.size(); i++) {
      IndexedStep step = left.get(i);
      Integer known = isCall(step) ? rightCalls.get(partners.right(step.step().line())) : null;
      leftKeys[i] = known != null ? rightKeys[known] : isCall(step) ? new Object() : step.conduct();
      if (known != null) {
        pair(i, known);
      }
    }
    return align(Alignment.of(List.of(leftKeys), List.of(rightKeys), key -> key));
  }

  private static boolean isCall(IndexedStep step) {
    return step.step().kind() == StepKind.CALL || step.step().kind() == StepKind.TURN;
  }

  /**
   * Aligns the steps.
   *
   * @param equal the partner of each left step on the common subsequence, or -1
   */
  private List<Pair> align(int[] equal) {
    for (int i = 0; i < equal.length; i++) {
      if (equal[i] >= 0) {
        pair(i, equal[i]);
        inOrder[i] = equal[i];
      }
    }
    pairMoved();
    int nextLeft = 0;
    int nextRight = 0;
    for (int i = 0; i <= left.size(); i++) {
      if (i == left.size() || equal[i] >= 0) {
        int end = i == left.size() ? right.size() : equal[i];
        gap(free(partner, nextLeft, i), free(backward, nextRight, end), 0);
        nextLeft = i + 1;
        nextRight = end + 1;
      }
    }
    Concurrency concurrency = new Concurrency(left, right, partner, inOrder);
    concurrency.pairRest(backward);
    concurrency.explain();
    BitSet together = RequestedOrder.explained(left, partner, right.size());
    RequestedOrder.explained(right, backward, left.size()).stream()
        .forEach(other -> together.set(backward[other]));
    return pairs(i -> concurrency.explains(i) || together.get(i));
  }

  private void pair(int one, int other) {
    partner[one] = other;
    backward[other] = one;
  }

  /** Pairs equal steps outside of the common subsequence, the first with the first. */
  private void pairMoved() {
    Map<Object, Deque<Integer>> free = new HashMap<>();
    for (int j = 0; j < right.size(); j++) {
      if (backward[j] < 0) {
        free.computeIfAbsent(right.get(j).conduct(), key -> new ArrayDeque<>(1)).add(j);
      }
    }
    for (int i = 0; i < left.size(); i++) {
      Deque<Integer> equal = partner[i] >= 0 ? null : free.get(left.get(i).conduct());
      if (equal != null && !equal.isEmpty()) {
        pair(i, equal.remove());
      }
    }
  }

  /** Aligns the steps between two pairs. */
  private void gap(List<Integer> lefts, List<Integer> rights, int cuts) {
    if (lefts.isEmpty() || rights.isEmpty()) {
      return;
    }
    List<IndexedStep> ones = lefts.stream().map(left::get).toList();
    List<IndexedStep> others = rights.stream().map(right::get).toList();
    boolean isSmall = (long) lefts.size() * rights.size() <= MAX_CELLS;
    if (!isSmall && cuts == CUTS.size()) {
      oneByOne(lefts, rights);
      return;
    }
    int[] aligned =
        isSmall ? GapAlignment.of(ones, others) : Alignment.of(ones, others, CUTS.get(cuts));
    int nextLeft = 0;
    int nextRight = 0;
    for (int i = 0; i < aligned.length; i++) {
      if (aligned[i] >= 0) {
        if (!isSmall) {
          gap(lefts.subList(nextLeft, i), rights.subList(nextRight, aligned[i]), cuts + 1);
        }
        pairInOrder(lefts.get(i), rights.get(aligned[i]));
        nextLeft = i + 1;
        nextRight = aligned[i] + 1;
      }
    }
    if (!isSmall) {
      gap(
          lefts.subList(nextLeft, lefts.size()),
          rights.subList(nextRight, rights.size()),
          cuts + 1);
    }
  }

  /** Pairs the steps of a gap that is too large and has nothing in common, by their position. */
  private void oneByOne(List<Integer> lefts, List<Integer> rights) {
    for (int i = 0; i < Math.min(lefts.size(), rights.size()); i++) {
      if (GapAlignment.score(left.get(lefts.get(i)), right.get(rights.get(i))) > 0) {
        pairInOrder(lefts.get(i), rights.get(i));
      }
    }
  }

  private void pairInOrder(int one, int other) {
    pair(one, other);
    inOrder[one] = other;
  }

  private static List<Integer> free(int[] partners, int from, int to) {
    List<Integer> free = new ArrayList<>();
    for (int i = from; i < to; i++) {
      if (partners[i] < 0) {
        free.add(i);
      }
    }
    return free;
  }

  /**
   * The pairs in the order of both sessions; pairs out of order are at their left position.
   *
   * @param isExplained whether the order of a left step and its partner is not significant
   */
  private List<Pair> pairs(IntPredicate isExplained) {
    List<Pair> pairs = new ArrayList<>(Math.max(left.size(), right.size()));
    int next = 0;
    for (int i = 0; i < left.size(); i++) {
      if (partner[i] < 0) {
        pairs.add(new Pair(Relation.MISSING, i, -1));
        continue;
      }
      if (inOrder[i] >= 0) {
        next = addFree(next, inOrder[i], pairs);
      }
      boolean isEqual = left.get(i).conduct().equals(right.get(partner[i]).conduct());
      boolean isMoved = inOrder[i] < 0 && !isExplained.test(i);
      Relation relation = !isEqual ? Relation.CHANGED : isMoved ? Relation.MOVED : Relation.MATCHED;
      pairs.add(new Pair(relation, i, partner[i]));
    }
    addFree(next, right.size(), pairs);
    return pairs;
  }

  private int addFree(int from, int to, List<Pair> pairs) {
    for (int j = from; j < to; j++) {
      if (backward[j] < 0 || backward[j] == NO_PARTNER) {
        pairs.add(new Pair(Relation.ADDED, -1, j));
      }
    }
    return Math.max(from, to);
  }

  private static int[] filled(int size) {
    int[] filled = new int[size];
    Arrays.fill(filled, -1);
    return filled;
  }
}
