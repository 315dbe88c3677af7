package dev.agentreplay.engine.diff;

import java.util.BitSet;
import java.util.List;

/**
 * Finds the steps that are out of order only among the calls that one answer of a model requested.
 * A runtime that executes these at the same time has them in the log in the order of chance, also
 * one after the other where they are fast.
 */
final class RequestedOrder {

  private RequestedOrder() {}

  /**
   * Finds the steps.
   *
   * @param steps the steps of a session
   * @param partners the partner of each step in the other session, or a number that is not an index
   *     of it
   * @param others the number of steps of the other session
   */
  static BitSet explained(List<IndexedStep> steps, int[] partners, int others) {
    int size = steps.size();
    int[] before = new int[size + 1]; // the last partner of the steps before one
    int[] after = new int[size + 1]; // the first partner of the steps from one on
    before[0] = -1;
    after[size] = others;
    for (int i = 0; i < size; i++) {
      before[i + 1] = isIndex(partners[i], others) ? Math.max(before[i], partners[i]) : before[i];
    }
    for (int i = size - 1; i >= 0; i--) {
      after[i] = isIndex(partners[i], others) ? Math.min(after[i + 1], partners[i]) : after[i + 1];
    }
    BitSet explained = new BitSet();
    for (int from = 0; from < size; ) {
      int to = endOfRequested(steps, from);
      for (int i = from; to - from > 1 && i < to; i++) {
        explained.set(i, before[from] < partners[i] && partners[i] < after[to]);
      }
      from = to;
    }
    return explained;
  }

  private static boolean isIndex(int partner, int others) {
    return partner >= 0 && partner < others;
  }

  /**
   * The index after the last call of those that were requested together with the one at an index;
   * between them are the steps that they caused. The next index if the step is not such a call.
   */
  private static int endOfRequested(List<IndexedStep> steps, int from) {
    long answer = steps.get(from).answer();
    int end = from + 1;
    for (int i = end; answer > 0 && i < steps.size() && !isTurn(steps.get(i)); i++) {
      end = steps.get(i).answer() == answer ? i + 1 : end;
    }
    return end;
  }

  private static boolean isTurn(IndexedStep step) {
    return step.step().kind() == StepKind.TURN;
  }
}
