package dev.agentreplay.records.replay;

import java.io.IOException;

/**
 * Runs the agents of a session, one round after the other, on a thread of the replay. The thread is
 * interrupted at a time-out and an abort; an exception ends the replay as incomplete.
 */
@FunctionalInterface
public interface AgentRunner {

  /**
   * Runs a round.
   *
   * @return the messages that the agents sent in it
   * @throws IOException if an agent fails
   * @throws InterruptedException if the thread is interrupted
   */
  RoundMessages round(RoundContext context) throws IOException, InterruptedException;
}
