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
        LogPart,
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
}
