package dev.agentreplay.engine.diff;

/**
 * The counts of the calls of one tool. They add up: {@code left = matched + changed + replaced +
 * missing} and {@code right = matched + changed + replacing + added}.
 */
public sealed interface ToolCounts permits Results.ToolCountsData {

  /** The number of calls of the tool in the left session. */
  int left();

  /** The number of calls of the tool in the right session. */
  int right();

  /** The number of pairs of calls that are equal under the rules. */
  int matched();

  /** The number of pairs of calls of this tool that differ or are in a different order. */
  int changed();

  /** The number of calls of the left session whose partner calls a different tool. */
  int replaced();

  /** The number of calls of the right session whose partner calls a different tool. */
  int replacing();

  /** The number of calls of the left session without a partner. */
  int missing();

  /** The number of calls of the right session without a partner. */
  int added();

  /** The sum of the latencies in the left session, in milliseconds. */
  long leftLatencyMillis();

  /** The sum of the latencies in the right session, in milliseconds. */
  long rightLatencyMillis();
}
