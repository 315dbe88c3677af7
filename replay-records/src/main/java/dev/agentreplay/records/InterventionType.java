package dev.agentreplay.records;

/** What an operator did to a session. */
public enum InterventionType implements RecordConstant {
  /** Edited the compiled artifact. */
  ARTIFACT_EDIT,
  /** Left a delta out of the artifact. */
  DELTA_EXCLUSION,
  /** Added a delta that is no agent's. */
  DELTA_INJECTION,
  /** Decided otherwise than the protocol. */
  DECISION_OVERRIDE,
  /** Ended, forked, paused or reset the session. */
  SESSION_CONTROL,
  /** Changed which agent plays which role. */
  ROLE_REASSIGNMENT
}
