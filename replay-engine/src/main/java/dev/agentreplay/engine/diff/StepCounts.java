package dev.agentreplay.engine.diff;

/**
 * Counts of steps that close: {@code left = matched + changed + missing}, {@code right = matched +
 * changed + added}.
 */
public sealed interface StepCounts permits Results.StepCountsData {

  /** The number of steps of the left session. */
  int left();

  /** The number of steps of the right session. */
  int right();

  /** The number of pairs that are equal, as the rules have it. */
  int matched();

  /** The number of pairs that differ, or that stand in another order. */
  int changed();

  /** The number of changed pairs that only stand in another order. */
  int moved();

  /** The number of steps of the left session without a partner. */
  int missing();

  /** The number of steps of the right session without a partner. */
  int added();

  /** The number of pairs and steps that differ. */
  default int divergent() {
    return changed() + missing() + added();
  }
}
