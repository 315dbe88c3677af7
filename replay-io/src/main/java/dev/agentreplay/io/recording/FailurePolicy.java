package dev.agentreplay.io.recording;

/** The behavior of a {@link SessionRecorder} that cannot write an event or a blob. */
public enum FailurePolicy {

  /**
   * Throws an exception, so that the caller knows immediately. The default.
   * {@link SessionRecorder#run} returns the output of a tool that has run; the next call throws.
   */
  FAIL,

  /**
   * Continues without the event, so that the agent continues, and runs a tool even if its call
   * cannot be recorded. The event is counted, and a {@link dev.agentreplay.model.RecordingGap}
   * marks the gap in the log as soon as it can be written. The receipt states the number of missing
   * events.
   */
  DEGRADE
}
