package dev.agentreplay.records.agents;

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

  /**
   * Ends the session after its last round, on a thread of the replay. It is not called if a round
   * failed, or the replay was aborted or has exceeded its budget. By default it does nothing.
   *
   * @throws IOException if an agent fails; the replay is incomplete then
   * @throws InterruptedException if the thread is interrupted
   */
  default void end() throws IOException, InterruptedException {}
}
