package dev.agentreplay.engine.diff;

/**
 * The counts of the steps of a comparison. They add up: {@code left = matched + changed + missing}
 * and {@code right = matched + changed + added}.
 */
public sealed interface StepCounts permits Results.StepCountsData {

  /** The number of steps of the left session. */
  int left();

  /** The number of steps of the right session. */
  int right();

  /** The number of pairs that are equal under the rules. */
  int matched();

  /** The number of pairs that differ or are in a different order. */
  int changed();

  /** The number of changed pairs that are equal but in a different order. */
  int moved();

  /** The number of steps of the left session without a partner. */
  int missing();

  /** The number of steps of the right session without a partner. */
  int added();

  /** The number of pairs and single steps that differ: {@code changed + missing + added}. */
  default int divergent() {
    return changed() + missing() + added();
  }
}
