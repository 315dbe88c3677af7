package dev.agentreplay.engine.diff;

import dev.agentreplay.engine.diff.Workers.Call;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Finds the pairs of steps that are out of order only because of concurrency. A step lasts from its
 * call to its result; it ran before a second one if it ended before that began.
 *
 * <p>The order of a step is explained if no other step ran before it in one session, and after it
 * in the other. For the other steps, both sessions are cut into sections where the same steps ended
 * before all others began. In a section, as many workers are assumed as calls were made at the same
 * time in one of the sessions; the order of the steps is explained if each worker made the same
 * calls in the same order in both sessions ({@link Workers}). An agent that never makes two calls
 * at the same time has one worker, so that any change of its order is a move. Time and memory are
 * near linear.
 */
final class Concurrency {

  private final List<IndexedStep> left;
  private final List<IndexedStep> right;
  private final int[] partner;
  private final int[] inOrder;
  private final Intervals lefts;
  private final Intervals rights;

  /** The number of the section of each step. */
  private final int[] leftSection;

  private final int[] rightSection;

  /** The number of workers in each section. */
  private final int[] workers;

  private final BitSet explained = new BitSet();

  /**
   * Prepares the explanation of the order of the given partners.
   *
   * @param partner the partner of each step on the left, or -1
   * @param inOrder the partner of each step on the left, or -1 also for partners out of order
   */
  Concurrency(List<IndexedStep> left, List<IndexedStep> right, int[] partner, int[] inOrder) {
    this.left = left;
    this.right = right;
    this.partner = partner;
    this.inOrder = inOrder;
    this.lefts = new Intervals(left);
    this.rights = new Intervals(right);
    this.leftSection = new int[left.size()];
    this.rightSection = new int[right.size()];
    this.workers = new int[cut() + 1];
    lefts.countTogether(leftSection, workers);
    rights.countTogether(rightSection, workers);
  }

  /**
   * Cuts the sessions into sections, each before a step with a partner. Returns the number of the
   * last section.
   */
  private int cut() {
    int[] first = new int[left.size() + 1]; // the first partner of the steps from one on
    first[left.size()] = right.size();
    for (int i = left.size() - 1; i >= 0; i--) {
      first[i] = partner[i] < 0 ? first[i + 1] : Math.min(first[i + 1], partner[i]);
    }
    int section = 0;
    int behind = 0; // the number of steps on the right up to the last partner
    int from = 0;
    for (int i = 0; i < left.size(); i++) {
      if (partner[i] >= 0 && lefts.isCut(i)) {
        int at = rights.lastCut(first[i]);
        if (at >= behind) {
          Arrays.fill(rightSection, from, at, section);
          from = at;
          section++;
        }
      }
      leftSection[i] = section;
      behind = Math.max(behind, partner[i] + 1);
    }
    Arrays.fill(rightSection, from, right.size(), section);
    return section;
  }

  /** Whether concurrency explains the position of a step and its partner. */
  boolean explains(int one) {
    return explained.get(one);
  }

  /**
   * Pairs steps without partners that have the same request, or at least the same name, if they are
   * in one section with concurrent calls, or in two that are next to each other.
   *
   * @param backward the partner of each step on the right, or -1
   */
  void pairRest(int[] backward) {
    boolean isRest = Arrays.stream(partner).anyMatch(other -> other < 0)
        && Arrays.stream(backward).anyMatch(other -> other < 0);
    if (!isRest) {
      return;
    }
    pairRest(backward, step -> List.of(step.step().kind(), step.step().name(), step.request()));
    pairRest(backward, step -> List.of(step.step().kind(), step.step().name()));
  }

  private void pairRest(int[] backward, Function<IndexedStep, List<Object>> key) {
    Order order = new Order(lefts, rights, inOrder);
    Map<List<Object>, Deque<Integer>> free = new HashMap<>();
    for (int j = 0; j < right.size(); j++) {
      if (backward[j] < 0) {
        List<Object> found = List.of(rightSection[j], key.apply(right.get(j)));
        free.computeIfAbsent(found, k -> new ArrayDeque<>(1)).add(j);
      }
    }
    for (int i = 0; i < left.size(); i++) {
      for (int distance : new int[] {0, -1, 1}) {
        int section = leftSection[i] + distance;
        Deque<Integer> others = partner[i] >= 0 || !areConcurrent(leftSection[i], section)
            ? null
            : free.get(List.of(section, key.apply(left.get(i))));
        if (others != null
            && !others.isEmpty()
            && (distance == 0 || !order.isBroken(i, others.element()))) {
          partner[i] = others.remove();
          backward[partner[i]] = i;
        }
      }
    }
  }

  private boolean areConcurrent(int one, int other) {
    return other >= 0 && other < workers.length && Math.max(workers[one], workers[other]) > 1;
  }

  /** Explains the order of the partners, as far as it can be explained. */
  void explain() {
    if (Arrays.equals(partner, inOrder)) {
      return;
    }
    Order order = new Order(lefts, rights, partner);
    for (int from = 0; from < left.size(); ) {
      int to = from + 1;
      while (to < left.size() && leftSection[to] == leftSection[from]) {
        to++;
      }
      if (workers[leftSection[from]] > 1) {
        explain(from, to, order);
      }
      from = to;
    }
  }

  private void explain(int from, int to, Order order) {
    boolean isMoved = false;
    List<Call> calls = new ArrayList<>();
    for (int i = from; i < to; i++) {
      if (partner[i] >= 0) {
        boolean mayMove = inOrder[i] < 0 && order.isBroken(i, partner[i]);
        calls.add(new Call(
            i,
            lefts.start(i),
            lefts.end(i),
            rights.start(partner[i]),
            rights.end(partner[i]),
            mayMove));
        isMoved |= mayMove;
        explained.set(i);
      }
    }
    if (isMoved) {
      new Workers(workers[leftSection[from]]).assign(calls).forEach(explained::clear);
    }
  }
}
