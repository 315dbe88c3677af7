package dev.agentreplay.model.record;

/** How far a replayed message is from the recorded one. */
public enum DivergenceSeverity implements RecordConstant {
  /** Identical, or of the same meaning. */
  NONE,
  /** Other words, the same meaning. */
  MINOR,
  /** Another approach, similar conclusions. */
  MODERATE,
  /** Other conclusions. */
  MAJOR
}
