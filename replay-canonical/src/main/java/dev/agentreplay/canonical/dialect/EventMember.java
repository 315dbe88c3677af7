package dev.agentreplay.canonical.dialect;

import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/** One member of a kind of event in a dialect, as {@link Dialect#members} lists them. */
public sealed interface EventMember permits Row {

  /** The name of the member in a log. */
  String name();

  /** Its part in the event. */
  Role role();

  /** Whether it is a name, a code or a hash, which means something else when one letter changes. */
  boolean isExact();

  /**
   * The component of an event that the member holds; null where the event does not state it.
   *
   * @throws IllegalArgumentException if the dialect cannot write it
   */
  @Nullable
  Object component(ReplayEvent event);

  /** The {@link #component} as a log holds it. */
  @Nullable
  JsonValue value(ReplayEvent event);

  /** The part of a member in an event, for programs that compare sessions. */
  enum Role {
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
}
