package dev.agentreplay.canonical.dialect;

import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/** One member of a kind of event in a dialect, as listed by {@link Dialect#members}. Immutable. */
public sealed interface EventMember permits Row {

  /** The name of the member in a log. */
  String name();

  /** The role of the member in the event. */
  Role role();

  /**
   * Whether a comparison ignores the member if only one of two events has it, because the other
   * writer may not have known it.
   */
  boolean isComparedIfBoth();

  /**
   * The component of an event that the member represents; null if the event does not state it.
   *
   * @throws IllegalArgumentException if the dialect cannot write the component
   */
  @Nullable
  Object component(ReplayEvent event);

  /** The {@link #component} in its JSON form. */
  @Nullable
  JsonValue value(ReplayEvent event);

  /** The role of a member in an event, for programs that compare sessions. */
  enum Role {
    /** The subject of the event: the tool, file, payment or plan. The default. */
    SUBJECT,
    /** The arguments of a call. */
    INPUT,
    /** The output of a call, or its side effects. */
    OUTPUT,
    /** The success or failure of a call, and the error. */
    OUTCOME,
    /** An estimate of value or cost. */
    ASSESSMENT,
    /** An id, or another value that differs in each session. */
    IDENTITY,
    /** A time or a duration. */
    CLOCK,
    /** No role of its own: the member repeats or locates others. */
    NONE
  }
}
