package dev.agentreplay.io.recording;

/** What a {@link SessionRecorder} does when it cannot write an event, or a large value. */
public enum FailurePolicy {

  /**
   * It throws, so that the caller knows at once. The default. Of a tool that
   * {@link SessionRecorder#run} has run the output is returned first; the next call throws.
   */
  FAIL,

  /**
   * It goes on without the event, so that the agent does, and a tool runs whatever is wrong with
   * the recording of its call: the event is counted, and a
   * {@link dev.agentreplay.model.RecordingGap} marks the place in the log as soon as one can be
   * written. The receipt says how many events are missing.
   */
  DEGRADE
}
