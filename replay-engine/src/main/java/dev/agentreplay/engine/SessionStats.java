package dev.agentreplay.engine;

import dev.agentreplay.model.ModelResult;
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
 * Totals over the events of one session (specification 000, "Replay Reader"): numbers of calls,
 * failures, latencies and utilities. Immutable.
 *
 * <p>An {@link Accumulator} computes them from a stream of events.
 */
public sealed interface SessionStats permits SessionStats.Accumulator.StatsData {

  /** The totals over the calls of one tool. */
  sealed interface ToolStats permits Accumulator.ToolStatsData {

    /** The number of calls. */
    long calls();

    /** The number of calls that have a result. */
    long answered();

    /** The number of answered calls that failed. */
    long failed();

    /** The sum of the latencies of the results, in milliseconds. */
    long totalLatencyMillis();
  }

  /** The number of events, the header included. */
  long events();

  /** The number of tool calls. */
  long toolCalls();

  /** The number of tool results. */
  long toolResults();

  /** The sum of the latencies of the tool results, in milliseconds. */
  long totalLatencyMillis();

  /** The sum of the latencies of the model results, in milliseconds. */
  long modelLatencyMillis();

  /** The mean of the step utilities of the tool results that state one; 0.0 when none does. */
  double averageStepUtility();

  /** The totals of each tool, sorted by the name of the tool. Unmodifiable. */
  Map<String, ToolStats> byTool();

  /** Creates an accumulator without events. */
  static Accumulator accumulator() {
    return new Accumulator();
  }

  /**
   * Computes the totals of a session from its events, which must be added in the order of the log.
   * Not safe for use by several threads.
   */
  final class Accumulator {

    record StatsData(
        long events,
        long toolCalls,
        long toolResults,
        long totalLatencyMillis,
        long modelLatencyMillis,
        double averageStepUtility,
        Map<String, ToolStats> byTool)
        implements SessionStats {}

    record ToolStatsData(long calls, long answered, long failed, long totalLatencyMillis)
        implements ToolStats {

      ToolStatsData plus(ToolStatsData other) {
        return new ToolStatsData(
            calls + other.calls,
            answered + other.answered,
            failed + other.failed,
            EventRules.addTotal(totalLatencyMillis, other.totalLatencyMillis));
      }
    }

    private final CallPairing<String> pairing = new CallPairing<>();
    private final Map<String, ToolStatsData> byTool = new TreeMap<>();
    private final RunTotals totals = new RunTotals();
    private long events;
    private long toolResults;
    private long modelLatencyMillis;
    private double averageUtility;
    private long utilities;

    private Accumulator() {}

    /** Adds an event. */
    public Accumulator add(ReplayEvent event) {
      events++;
      totals.add(event);
      if (event instanceof ToolCall call) {
        pairing.call(call.id(), call.meta().agent(), call.tool());
        byTool.merge(call.tool(), new ToolStatsData(1, 0, 0, 0), ToolStatsData::plus);
      } else if (event instanceof ToolResult result) {
        result(result);
      } else if (event instanceof ModelResult result) {
        modelLatencyMillis = EventRules.addTotal(modelLatencyMillis, result.latencyMillis());
      }
      return this;
    }

    /** Returns the totals of the events added so far. */
    public SessionStats toStats() {
      return new StatsData(
          events,
          totals.toolCalls(),
          toolResults,
          totals.totalLatencyMillis(),
          modelLatencyMillis,
          averageUtility,
          Collections.unmodifiableMap(new TreeMap<>(byTool)));
    }

    private void result(ToolResult result) {
      toolResults++;
      if (result.stepUtility() != null) {
        utilities++;
        // a running mean stays finite; a sum of hostile values could overflow
        averageUtility += result.stepUtility() / utilities - averageUtility / utilities;
      }
      String tool = pairing.result(result.id(), result.meta().agent());
      if (tool != null) {
        long latency = result.latencyMillis() == null ? 0 : result.latencyMillis();
        int failed = result.succeeded() ? 0 : 1;
        byTool.merge(tool, new ToolStatsData(0, 1, failed, latency), ToolStatsData::plus);
      }
    }
  }
}
