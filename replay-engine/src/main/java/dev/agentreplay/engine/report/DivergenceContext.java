package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.AlignedStep;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The steps before and after divergences. */
final class DivergenceContext {

  private static final int STEPS = 2;

  /** The most steps of other lanes between a step and its neighbor. */
  private static final int MAX_OTHERS = 200;

  private final List<AlignedStep> alignment;

  /** The first and last index of each divergence in the alignment. */
  private final Map<Integer, int[]> places = new HashMap<>();

  private final boolean hasLanes;

  DivergenceContext(SessionDiff diff) {
    this.alignment = diff.alignment();
    this.hasLanes = hasLanes(diff);
    for (int i = 0; i < alignment.size(); i++) {
      Integer divergence = alignment.get(i).divergence();
      if (divergence != null) {
        int at = i;
        places.computeIfAbsent(divergence, d -> new int[] {at, at})[1] = at;
      }
    }
  }

  /** Whether the compared steps are those of several agents. */
  static boolean hasLanes(SessionDiff diff) {
    return diff.alignment().stream()
            .map(pair -> Optional.ofNullable(pair.step().agent()))
            .distinct()
            .limit(2)
            .count()
        > 1;
  }

  /** The agent of a step in brackets if there are several agents; otherwise empty. */
  String lane(Step step) {
    return hasLanes && step.agent() != null ? "[" + step.agent() + "] " : "";
  }

  /** Up to two steps of the same lane before a divergence. */
  List<AlignedStep> before(Divergence divergence) {
    int[] place = places.get(divergence.number());
    List<AlignedStep> before =
        new ArrayList<>(place == null ? List.of() : neighbors(divergence, place[0], -1));
    Collections.reverse(before);
    return before;
  }

  /** Up to two steps of the same lane after a divergence. */
  List<AlignedStep> after(Divergence divergence) {
    int[] place = places.get(divergence.number());
    return place == null ? List.of() : neighbors(divergence, place[1], 1);
  }

  private List<AlignedStep> neighbors(Divergence divergence, int from, int step) {
    List<AlignedStep> neighbors = new ArrayList<>(STEPS);
    int others = 0;
    for (int i = from + step;
        i >= 0 && i < alignment.size() && neighbors.size() < STEPS && others < MAX_OTHERS;
        i += step) {
      AlignedStep pair = alignment.get(i);
      if (!hasLanes || Objects.equals(pair.step().agent(), divergence.step().agent())) {
        neighbors.add(pair);
      } else {
        others++;
      }
    }
    return neighbors;
  }
}
