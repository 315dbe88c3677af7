package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.AlignedStep;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.SessionDiff;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The steps before and after divergences. */
final class DivergenceContext {

  private static final int STEPS = 2;

  private final List<AlignedStep> alignment;

  /** The first and last index of each divergence in the alignment. */
  private final Map<Integer, int[]> places = new HashMap<>();

  DivergenceContext(SessionDiff diff) {
    this.alignment = diff.alignment();
    for (int i = 0; i < alignment.size(); i++) {
      Integer divergence = alignment.get(i).divergence();
      if (divergence != null) {
        int at = i;
        places.computeIfAbsent(divergence, d -> new int[] {at, at})[1] = at;
      }
    }
  }

  /** Up to two steps before a divergence. */
  List<AlignedStep> before(Divergence divergence) {
    int[] place = places.get(divergence.number());
    return place == null ? List.of() : alignment.subList(Math.max(0, place[0] - STEPS), place[0]);
  }

  /** Up to two steps after a divergence. */
  List<AlignedStep> after(Divergence divergence) {
    int[] place = places.get(divergence.number());
    return place == null
        ? List.of()
        : alignment.subList(place[1] + 1, Math.min(alignment.size(), place[1] + 1 + STEPS));
  }
}
