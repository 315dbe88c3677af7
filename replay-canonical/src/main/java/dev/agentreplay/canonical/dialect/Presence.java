package dev.agentreplay.canonical.dialect;

/** The rule for the presence of a member. */
enum Presence {
  /** The event cannot be decoded without the member. */
  IDENTITY,
  /** The member must be present; a reader reports its absence. */
  REQUIRED,
  /** The member is always written, as null if there is no value. */
  NULLABLE,
  /** The member is written only if there is a value. */
  OPTIONAL
}
