package dev.agentreplay.engine.diff;

/**
 * Counts of the calls of one tool that close: {@code left = matched + changed + replaced +
 * missing}, {@code right = matched + changed + replacing + added}.
 */
public sealed interface ToolCounts permits Results.ToolCountsData {

  /** The number of calls of the tool in the left session. */
  int left();

  /** The number of calls of the tool in the right session. */
  int right();

  /** The number of pairs of calls that are equal, as the rules have it. */
  int matched();

  /** The number of pairs of calls of this tool that differ, or that stand in another order. */
  int changed();

  /** The number of calls of the left session in whose place the right one calls another tool. */
  int replaced();

  /** The number of calls of the right session in whose place the left one calls another tool. */
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
