package dev.agentreplay.model;

import org.jspecify.annotations.Nullable;

/** One event of a session: one line of a log. */
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

  /** The kind of this event, to switch on. */
  EventKind kind();

  /** What every event has. */
  Meta meta();

  /** This event with other meta data. */
  ReplayEvent withMeta(Meta meta);

  /** When it happened, or null when the log does not say, or the writer shall. */
  default @Nullable Timestamp time() {
    return meta().time();
  }

  /**
   * The value that this event hands over, as itself, as a hash or in a blob: parameters, an output,
   * a prompt, an answer, a payload. {@link Content#NONE} for events without one. Logs call it by
   * {@link EventKind#contentName()}.
   */
  default Content content() {
    return Content.NONE;
  }

  /**
   * The id that a call and its result share, or null. Tools and models have ids of their own:
   * {@link dev.agentreplay.model.check.CallPairing} pairs those of one of them.
   */
  default @Nullable String callId() {
    return null;
  }

  /** The name of the tool, model, file, step, source or type that this event is about, or null. */
  default @Nullable String name() {
    return null;
  }

  /** Whether the reported work succeeded, or null where the event does not say. */
  default @Nullable Boolean succeeded() {
    return null;
  }

  /** The duration of the reported work in milliseconds, or null where the event does not say. */
  default @Nullable Long latencyMillis() {
    return null;
  }
}
