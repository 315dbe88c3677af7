package dev.agentreplay.engine;

import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.check.CallPairing;
import dev.agentreplay.model.check.EventRules;
import dev.agentreplay.model.receipt.RunTotals;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Totals over a session (specification 000, "Replay Reader").
 *
 * @param events the number of events, the header included
 * @param toolCalls the number of tool calls
 * @param toolResults the number of tool results
 * @param totalLatencyMillis the sum of the latencies of the results, in milliseconds
 * @param averageStepUtility the mean of the step utilities of the results that state one; 0.0 when
 *     none does
 * @param byTool totals for each tool, by name
 */
public record SessionStats(
    long events,
    long toolCalls,
    long toolResults,
    long totalLatencyMillis,
    double averageStepUtility,
    Map<String, ToolStats> byTool) {

  /**
   * Totals over the calls of one tool.
   *
   * @param calls the number of calls
   * @param answered how many of them have a result
   * @param failed how many of those failed
   * @param totalLatencyMillis the sum of the latencies of the results, in milliseconds
   */
  public record ToolStats(long calls, long answered, long failed, long totalLatencyMillis) {
    private ToolStats plus(ToolStats other) {
      return new ToolStats(
          calls + other.calls,
          answered + other.answered,
          failed + other.failed,
          EventRules.addTotal(totalLatencyMillis, other.totalLatencyMillis));
    }
  }

  /** Copies. */
  public SessionStats {
    byTool = Collections.unmodifiableMap(new TreeMap<>(byTool));
  }

  /** Starts a fold over the events of a session. */
  public static Accumulator accumulator() {
    return new Accumulator();
  }

  /** Takes the events of a session in order. Not safe for use by several threads. */
  public static final class Accumulator {
    private final CallPairing<String> pairing = new CallPairing<>();
    private final Map<String, ToolStats> byTool = new TreeMap<>();
    private final RunTotals totals = new RunTotals();
    private long events;
    private long toolResults;
    private double averageUtility;
    private long utilities;

    private Accumulator() {}

    /** Takes an event. */
    public Accumulator add(ReplayEvent event) {
      events++;
      totals.add(event);
      if (event instanceof ToolCall call) {
        pairing.call(call.id(), call.tool());
        add(call.tool(), new ToolStats(1, 0, 0, 0));
      } else if (event instanceof ToolResult result) {
        result(result);
      }
      return this;
    }

    /** The totals so far. */
    public SessionStats toStats() {
      return new SessionStats(
          events,
          totals.toolCalls(),
          toolResults,
          totals.totalLatencyMillis(),
          averageUtility,
          byTool);
    }

    private void result(ToolResult result) {
      toolResults++;
      if (result.stepUtility() != null) {
        utilities++;
        // a mean that is kept stays finite, where a sum of hostile values would not
        averageUtility += result.stepUtility() / utilities - averageUtility / utilities;
      }
      String tool = pairing.result(result.id());
      if (tool != null) {
        long latency = result.latencyMillis() == null ? 0 : result.latencyMillis();
        add(tool, new ToolStats(0, 1, result.succeeded() ? 0 : 1, latency));
      }
    }

    private void add(String tool, ToolStats more) {
      byTool.merge(tool, more, ToolStats::plus);
    }
  }
}
