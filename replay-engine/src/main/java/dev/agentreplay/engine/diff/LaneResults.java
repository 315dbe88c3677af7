package dev.agentreplay.engine.diff;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The divergences in the lanes that calls started, which may be the reason for different results of
 * these calls. The result of a call depends on what the lane did before it.
 */
final class LaneResults {

  /**
   * A divergence in the lane that a call started.
   *
   * @param line the line of its request or, if only its result differs, of its result
   */
  private record Placed(int number, long line) {}

  /** The lanes of one session. */
  private static final class Lanes {
    private final Map<Integer, Integer> callOfStep;
    private final Map<Integer, List<Placed>> ofCall = new HashMap<>();

    Lanes(Map<Integer, Integer> callOfStep) {
      this.callOfStep = callOfStep;
    }

    void add(int number, @Nullable IndexedStep indexed, boolean isAnswer) {
      Step step = indexed == null ? null : indexed.step();
      Integer call = step == null ? null : callOfStep.get(step.index());
      if (step == null || call == null) {
        return;
      }
      Long result = isAnswer ? step.resultLine() : null;
      ofCall
          .computeIfAbsent(call, key -> new ArrayList<>())
          .add(new Placed(number, result == null ? step.line() : result));
    }

    /** The last divergence before the result of a call; -1 if there is none. */
    int last(@Nullable IndexedStep call) {
      int last = -1;
      if (call != null) {
        Long result = call.step().resultLine();
        for (Placed placed : ofCall.getOrDefault(call.step().index(), List.of())) {
          if (result == null || placed.line() < result) {
            last = Math.max(last, placed.number());
          }
        }
      }
      return last;
    }
  }

  private final Lanes left;
  private final Lanes right;

  /**
   * Creates the results of the lanes of two sessions.
   *
   * @param left the steps of the left session in lanes that calls started, with these calls
   * @param right the same of the right session
   */
  LaneResults(Map<Integer, Integer> left, Map<Integer, Integer> right) {
    this.left = new Lanes(left);
    this.right = new Lanes(right);
  }

  /**
   * Adds a divergence that matters.
   *
   * @param isAnswer whether only the result of a call or a turn differs
   */
  void diverged(int number, Sides<IndexedStep> steps, boolean isAnswer) {
    left.add(number, steps.left(), isAnswer);
    right.add(number, steps.right(), isAnswer);
  }

  /**
   * The number of the last divergence in the lane that a call started, before the result of the
   * call; -1 if there is none.
   */
  int last(Sides<IndexedStep> call) {
    return Math.max(left.last(call.left()), right.last(call.right()));
  }
}
