package dev.agentreplay.model.record;

/** How much an intervention changed, from least to most. */
public enum InterventionSeverity implements RecordConstant {
  /** Spelling and layout. */
  MINOR,
  /** A small edit, or a delta left out. */
  MODERATE,
  /** A hypothesis removed, a test added, a role changed. */
  MAJOR,
  /** The session ended early, or its protocol passed over. */
  CRITICAL;

  /** Whether it is major or worse. */
  public boolean isMajor() {
    return compareTo(MAJOR) >= 0;
  }
}
