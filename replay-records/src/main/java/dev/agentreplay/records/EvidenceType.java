package dev.agentreplay.records;

/** What kind of evidence a session was given. */
public enum EvidenceType implements RecordConstant {
  /** A published paper. */
  PAPER,
  /** A paper that has not been reviewed. */
  PREPRINT,
  /** A set of data. */
  DATASET,
  /** An experiment and its result. */
  EXPERIMENT,
  /** Something that was observed. */
  OBSERVATION,
  /** What an earlier session made. */
  PRIOR_SESSION,
  /** What somebody who knows the field said. */
  EXPERT_OPINION,
  /** Source code, or what is built of it. */
  CODE_ARTIFACT
}
