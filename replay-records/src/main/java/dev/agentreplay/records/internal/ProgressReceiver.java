package dev.agentreplay.records.internal;

import java.time.Duration;

/**
 * Receives the progress of agents that run. It is called on a thread of the replay, one call at a
 * time. An exception that it throws is logged, and does not affect the replay.
 */
@FunctionalInterface
public interface ProgressReceiver {

  /**
   * The progress of agents that run.
   *
   * @param round the number of the round that runs now
   * @param completed the number of rounds that were completed
   * @param expected the number of rounds to replay
   * @param messages the number of messages that the agents have sent in completed rounds
   * @param elapsed the time since the start
   */
  record Progress(long round, long completed, long expected, long messages, Duration elapsed) {}

  /** Called at the start of each round, and at regular intervals while it runs. */
  void progress(Progress progress);
}
