package dev.agentreplay.engine.diff;

/**
 * Counts of steps that close: {@code left = matched + changed + missing}, {@code right = matched +
 * changed + added}.
 *
 * @param left steps of the left session
 * @param right steps of the right session
 * @param matched pairs that are equal, as the rules have it
 * @param changed pairs that differ, or that stand in another order
 * @param moved how many of the changed pairs only stand in another order
 * @param missing steps of the left session without a partner
 * @param added steps of the right session without a partner
 */
public record StepCounts(
    int left, int right, int matched, int changed, int moved, int missing, int added) {

  /** No steps. */
  public static final StepCounts NONE = new StepCounts(0, 0, 0, 0, 0, 0, 0);

  /** The number of pairs and steps that differ. */
  public int divergent() {
    return changed + missing + added;
  }
}
