package dev.agentreplay.engine.diff;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The last divergence that may be the reason for what a lane does next. A lane that a call started
 * continues what was before that call in the lane of the call. The start, the settings and the plan
 * of the session are before all lanes.
 */
final class LaneProgress {

  /**
   * The progress of a lane.
   *
   * @param last the number of the last divergence that matters; -1 if there is none
   * @param hasMet whether a call or a turn after it is matched
   */
  record Progress(int last, boolean hasMet) {

    private static final Progress NONE = new Progress(-1, false);

    private Progress orLater(@Nullable Progress other) {
      return other != null && other.last > last ? other : this;
    }

    private Progress met() {
      return new Progress(last, true);
    }
  }

  /** The calls of one session that started lanes. */
  private static final class Starts {
    private final Map<Integer, Integer> callOfStep;
    private final Set<Integer> calls;
    private final Map<Integer, Progress> atCall = new HashMap<>();

    Starts(Map<Integer, Integer> callOfStep) {
      this.callOfStep = callOfStep;
      this.calls = new HashSet<>(callOfStep.values());
    }

    /** The progress with which the call was made that started a lane with a step. */
    @Nullable
    Progress before(@Nullable IndexedStep step) {
      Integer call = step == null ? null : callOfStep.get(step.step().index());
      return call == null ? null : atCall.get(call);
    }

    void put(@Nullable IndexedStep step, Progress progress) {
      if (step != null && calls.contains(step.step().index())) {
        atCall.put(step.step().index(), progress);
      }
    }
  }

  private static final Set<StepKind> OF_SESSION =
      EnumSet.of(StepKind.START, StepKind.SETTINGS, StepKind.PLAN);

  private final LaneAlignment lanes;
  private final Starts left;
  private final Starts right;
  private final Map<@Nullable String, Progress> byLane = new HashMap<>();
  private Progress session = Progress.NONE;

  /**
   * Creates the progress of two sessions.
   *
   * @param left the steps of the left session in lanes that calls started, with these calls
   * @param right the same of the right session
   */
  LaneProgress(LaneAlignment lanes, Map<Integer, Integer> left, Map<Integer, Integer> right) {
    this.lanes = lanes;
    this.left = new Starts(left);
    this.right = new Starts(right);
  }

  /** The progress before a step. */
  Progress before(Sides<IndexedStep> steps) {
    return byLane
        .getOrDefault(lanes.lane(steps), Progress.NONE)
        .orLater(session)
        .orLater(left.before(steps.left()))
        .orLater(right.before(steps.right()));
  }

  /** Adds a matched pair. */
  void matched(Sides<IndexedStep> steps) {
    StepKind kind = steps.any().step().kind();
    Progress before = before(steps);
    boolean hasMet = kind == StepKind.CALL || kind == StepKind.TURN;
    put(steps, hasMet ? before.met() : before, before.met());
  }

  /** Adds a divergence that does not matter. */
  void harmless(Sides<IndexedStep> steps) {
    Progress before = before(steps);
    put(steps, before, before);
  }

  /**
   * Adds a divergence that matters.
   *
   * @param isAnswer whether the requests are equal, so that what they start has no reason to differ
   */
  void diverged(int number, Sides<IndexedStep> steps, boolean isAnswer) {
    Progress now = new Progress(number, false);
    put(steps, now, isAnswer ? before(steps).met() : now);
    if (OF_SESSION.contains(steps.any().step().kind())) {
      session = now;
    }
  }

  private void put(Sides<IndexedStep> steps, Progress now, Progress atRequest) {
    left.put(steps.left(), atRequest);
    right.put(steps.right(), atRequest);
    byLane.put(lanes.lane(steps), now);
  }
}
