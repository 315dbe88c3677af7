package dev.agentreplay.records;

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

  private static final String HYPOTHESIS = "hypothesis";

  /**
   * The severity of an intervention by its type and target: session control is critical; a changed
   * role or decision is major, and so is a hypothesis that was edited or injected; another item
   * that was edited, or a delta that was left out, is moderate; everything else is minor.
   *
   * @param target what it was done to, of which the kind of item counts
   */
  public static InterventionSeverity of(InterventionType type, InterventionTarget target) {
    String itemType = target.itemType();
    boolean isHypothesis = HYPOTHESIS.equals(itemType);
    return switch (type) {
      case SESSION_CONTROL -> CRITICAL;
      case ROLE_REASSIGNMENT, DECISION_OVERRIDE -> MAJOR;
      case DELTA_EXCLUSION -> MODERATE;
      case DELTA_INJECTION -> isHypothesis ? MAJOR : MINOR;
      case ARTIFACT_EDIT ->
        isHypothesis ? MAJOR : itemType == null || itemType.isEmpty() ? MINOR : MODERATE;
    };
  }

  /** Whether it is major or worse. */
  public boolean isMajor() {
    return compareTo(MAJOR) >= 0;
  }
}
