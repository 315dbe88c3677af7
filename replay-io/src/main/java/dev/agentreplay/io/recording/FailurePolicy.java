package dev.agentreplay.io.recording;

/** The behavior of a {@link SessionRecorder} that cannot write an event or a blob. */
public enum FailurePolicy {

  /**
   * Throws an exception, so that the caller knows immediately. The default.
   * {@link SessionRecorder#run} returns the value of a tool that has run, even if it cannot be
   * recorded: then the next {@code call}, {@code modelCall}, {@code run}, {@code sync}, {@code end}
   * or {@code close} throws the reason.
   */
  FAIL,

  /**
   * Continues without the event, so that the agent continues, and runs a tool even if its call
   * cannot be recorded, also because a value has no JSON form or is too long. The event is counted,
   * and a {@link dev.agentreplay.model.RecordingGap} marks the gap in the log as soon as it can be
   * written. The receipt states the number of missing events.
   */
  DEGRADE
}
