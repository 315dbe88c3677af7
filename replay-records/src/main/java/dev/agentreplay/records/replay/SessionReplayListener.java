package dev.agentreplay.records.replay;

import java.time.Duration;
import java.util.List;

/**
 * Observes the replay of a session record. The methods are called on threads of the replay, one at
 * a time, and should return quickly. An exception that one throws is logged, and does not affect
 * the replay.
 */
public interface SessionReplayListener {

  /**
   * The progress of a replay.
   *
   * @param round the number of the round that runs now
   * @param completed the number of rounds that were completed
   * @param expected the number of rounds to replay
   * @param messages the number of messages that the agents have sent in completed rounds
   * @param elapsed the time since the start
   */
  record Progress(long round, long completed, long expected, long messages, Duration elapsed) {}

  /** Called before anything runs, with the differences of the inputs. */
  default void inputs(List<InputDifference> differences) {}

  /** Called at the start of each round, and once a second while it runs. */
  default void progress(Progress progress) {}
}
