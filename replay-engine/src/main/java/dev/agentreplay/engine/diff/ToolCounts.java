package dev.agentreplay.engine.diff;

/**
 * Counts of the calls of one tool that close: {@code left = matched + changed + replaced +
 * missing}, {@code right = matched + changed + replacing + added}.
 *
 * @param left calls of the tool in the left session
 * @param right calls of the tool in the right session
 * @param matched pairs of calls that are equal, as the rules have it
 * @param changed pairs of calls of this tool that differ, or that stand in another order
 * @param replaced calls of the left session in whose place the right one calls another tool
 * @param replacing calls of the right session in whose place the left one calls another tool
 * @param missing calls of the left session without a partner
 * @param added calls of the right session without a partner
 * @param leftLatencyMillis the sum of the latencies in the left session, in milliseconds
 * @param rightLatencyMillis the sum of the latencies in the right session, in milliseconds
 */
public record ToolCounts(
    int left,
    int right,
    int matched,
    int changed,
    int replaced,
    int replacing,
    int missing,
    int added,
    long leftLatencyMillis,
    long rightLatencyMillis) {}
