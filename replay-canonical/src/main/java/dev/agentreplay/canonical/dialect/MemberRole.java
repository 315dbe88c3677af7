package dev.agentreplay.canonical.dialect;

/** The part of a member in an event, for programs that compare sessions. */
public enum MemberRole {
  /** The subject of the event: what is called, changed, paid or planned. The default. */
  SUBJECT,
  /** The arguments of a call. */
  INPUT,
  /** The output of a call, or its side effects. */
  OUTPUT,
  /** Whether it succeeded, and the error. */
  OUTCOME,
  /** An estimate of its worth or cost. */
  ASSESSMENT,
  /** An id or another value that is different in each session. */
  IDENTITY,
  /** A time or a duration. */
  CLOCK,
  /** No part of its own: it repeats or locates other members. */
  NONE
}
