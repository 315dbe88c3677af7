package dev.agentreplay.engine.diff;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Aligns the steps in a gap between two matched pairs so that the sum of the scores of the pairs is
 * greatest: global sequence alignment by Needleman and Wunsch, "A general method applicable to the
 * search for similarities in the amino acid sequence of two proteins" (1970), with a gap penalty of
 * 0. Time and memory are proportional to the product of the lengths.
 */
final class GapAlignment {

  private static final int SAME_REQUEST = 1_000;
  private static final int SAME_NAME = 100;
  private static final int ALIKE = 100;
  private static final int SAME_KIND = 10;

  /** The kinds of steps that may be partners even if their names differ. */
  private static final Set<StepKind> PAIRED_BY_KIND = EnumSet.of(
      StepKind.START,
      StepKind.SETTINGS,
      StepKind.PLAN,
      StepKind.CALL,
      StepKind.TURN,
      StepKind.VERIFICATION,
      StepKind.STEP,
      StepKind.END);

  private GapAlignment() {}

  /** Returns for each step of {@code left} the index of its partner in {@code right}, or -1. */
  static int[] of(List<IndexedStep> left, List<IndexedStep> right) {
    int[][] best = new int[left.size() + 1][right.size() + 1];
    int[][] score = new int[left.size()][right.size()];
    for (int i = left.size() - 1; i >= 0; i--) {
      for (int j = right.size() - 1; j >= 0; j--) {
        score[i][j] = score(left.get(i), right.get(j));
        int paired = score[i][j] == 0 ? 0 : score[i][j] + best[i + 1][j + 1];
        best[i][j] = Math.max(paired, Math.max(best[i + 1][j], best[i][j + 1]));
      }
    }
    int[] aligned = new int[left.size()];
    int j = 0;
    for (int i = 0; i < aligned.length; i++) {
      aligned[i] = -1;
      while (j < right.size() && best[i][j] > best[i + 1][j]) {
        if (score[i][j] > 0 && best[i][j] == score[i][j] + best[i + 1][j + 1]) {
          aligned[i] = j++;
          break;
        }
        j++;
      }
    }
    return aligned;
  }

  /** The similarity score of two steps; 0 when they cannot be partners. */
  static int score(IndexedStep left, IndexedStep right) {
    if (left.step().kind() != right.step().kind()) {
      return 0;
    }
    if (left.isNamedAs(right)) {
      int alike = (int) (ALIKE * left.traits().alike(right.traits()));
      return SAME_NAME + alike + (left.request().equals(right.request()) ? SAME_REQUEST : 0);
    }
    return PAIRED_BY_KIND.contains(left.step().kind()) ? SAME_KIND : 0;
  }
}
