package dev.agentreplay.engine.diff;

/**
 * The partners of the calls of two sessions, where something other than their similarity decides
 * them: a replay has matched each request with a recorded one. The other steps are aligned around
 * these pairs.
 */
@FunctionalInterface
public interface KnownPartners {

  /**
   * Returns the line of the call in the right log that is the partner of a call in the left log.
   * Each line is the partner of one call at most.
   *
   * @param leftLine the line of a call of a tool or model in the left log, from 1
   * @return the line in the right log, from 1; 0 if the call has no partner
   */
  long right(long leftLine);
}
