package dev.agentreplay.model;

import org.jspecify.annotations.Nullable;

/**
 * An event of a session: one line of a log. Every implementation is an immutable record with static
 * factories; the sealed hierarchy has one type for each {@link EventKind}, and {@link UnknownEvent}
 * for any other type of event.
 */
public sealed interface ReplayEvent
    permits ReplayHeader,
        SessionStart,
        PlanStart,
        ToolCall,
        ToolResult,
        StepComplete,
        Verification,
        Payment,
        RuntimeEvent,
        ModelCall,
        ModelResult,
        Settings,
        FileState,
        RecordedValue,
        Checkpoint,
        RecordingGap,
        LogSegment,
        SessionEnd,
        UnknownEvent {

  /** The kind of this event, for use in a {@code switch}. */
  EventKind kind();

  /** The data common to all events. */
  Meta meta();

  /** Returns a copy of this event with the given meta data. */
  ReplayEvent withMeta(Meta meta);

  /**
   * The time of this event. Null means that a log read does not state it, or that the writer sets
   * it.
   */
  default @Nullable Timestamp time() {
    return meta().time();
  }

  /**
   * The value that this event carries, as itself, as a hash or in a blob: parameters, an output, a
   * prompt, an answer or a payload; {@link Content#NONE} for events without one. Its name in a log
   * is {@link EventKind#contentName()}.
   */
  default Content content() {
    return Content.NONE;
  }

  /**
   * The id that a call and its result share, or null. Calls of tools and calls of models have
   * separate ids: use one {@link dev.agentreplay.model.check.CallPairing} for each.
   */
  default @Nullable String callId() {
    return null;
  }

  /** The name of the tool, model, file, step, source or type that this event is about, or null. */
  default @Nullable String name() {
    return null;
  }

  /** Whether the reported work succeeded, or null when the event does not state it. */
  default @Nullable Boolean succeeded() {
    return null;
  }

  /**
   * The duration of the reported work in milliseconds, or null when the event does not state it.
   */
  default @Nullable Long latencyMillis() {
    return null;
  }
}
