package dev.agentreplay.records;

/** The severity of a {@link RecordDivergence}, in ascending order. */
public enum RecordSeverity implements RecordConstant {
  /** Identical, or of the same meaning. */
  NONE,
  /** Other words, the same meaning. */
  MINOR,
  /** Another approach, similar conclusions. */
  MODERATE,
  /** Other conclusions. */
  MAJOR
}
