package dev.agentreplay.io;

/** What a {@link SessionRecorder} does when it cannot write an event, or a large value. */
public enum FailurePolicy {

  /** It throws, so that whoever records knows at once. The default. */
  FAIL,

  /**
   * It goes on without the event, so that the agent does: the event is counted, and a
   * {@link dev.agentreplay.model.RecordingGap} marks the place in the log as soon as one can be
   * written. The receipt says how many events are missing.
   */
  DEGRADE
}
