package dev.agentreplay.canonical.dialect;

/** Whether a member must be there. */
enum Presence {
  /** The event cannot be told without it. */
  IDENTITY,
  /** It must be there, and a reader reports when it is not. */
  REQUIRED,
  /** It is always written, as null when there is no value. */
  NULLABLE,
  /** It is written when there is a value. */
  OPTIONAL
}
