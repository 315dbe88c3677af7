package dev.agentreplay.engine;

import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.check.CallPairing;
import dev.agentreplay.model.check.EventRules;
import dev.agentreplay.model.receipt.RunTotals;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

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

  /** The totals over the calls of one agent. */
  sealed interface AgentStats permits Accumulator.AgentStatsData {

    /** The number of tool calls. */
    long toolCalls();

    /** The number of model calls. */
    long modelCalls();

    /** The sum of the tokens that models read, as far as the log states them. */
    long tokensIn();

    /** The sum of the tokens that models wrote, as far as the log states them. */
    long tokensOut();
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

  /**
   * The totals of each agent, sorted by its id; those of the calls without an agent are under the
   * empty id. Empty unless there are calls of several agents. Unmodifiable.
   */
  Map<String, AgentStats> byAgent();

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
        Map<String, ToolStats> byTool,
        Map<String, AgentStats> byAgent)
        implements SessionStats {}

    record AgentStatsData(long toolCalls, long modelCalls, long tokensIn, long tokensOut)
        implements AgentStats {

      AgentStatsData plus(AgentStatsData other) {
        return new AgentStatsData(
            toolCalls + other.toolCalls,
            modelCalls + other.modelCalls,
            EventRules.addTotal(tokensIn, other.tokensIn),
            EventRules.addTotal(tokensOut, other.tokensOut));
      }
    }

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
    private final CallPairing<String> asked = new CallPairing<>();
    private final Map<String, ToolStatsData> byTool = new TreeMap<>();
    private final Map<String, AgentStatsData> byAgent = new TreeMap<>();
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
        add(agent(event), new AgentStatsData(1, 0, 0, 0));
      } else if (event instanceof ToolResult result) {
        result(result);
      } else if (event instanceof ModelCall call) {
        asked.call(call.id(), call.meta().agent(), agent(event));
        add(agent(event), new AgentStatsData(0, 1, 0, 0));
      } else if (event instanceof ModelResult result) {
        modelLatencyMillis = EventRules.addTotal(modelLatencyMillis, result.latencyMillis());
        tokens(result);
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
          Collections.unmodifiableMap(new TreeMap<>(byTool)),
          byAgent.size() > 1 ? Collections.unmodifiableMap(new TreeMap<>(byAgent)) : Map.of());
    }

    /** Adds the tokens of a model result to the agent that made its call. */
    private void tokens(ModelResult result) {
      TokenCounts tokens = result.tokens();
      String agent = asked.result(result.id(), result.meta().agent());
      if (agent != null) {
        add(agent, new AgentStatsData(0, 0, orZero(tokens.input()), orZero(tokens.output())));
      }
    }

    private static String agent(ReplayEvent event) {
      String agent = event.meta().agent();
      return agent == null ? "" : agent;
    }

    private void add(String agent, AgentStatsData more) {
      byAgent.merge(agent, more, AgentStatsData::plus);
    }

    private static long orZero(@Nullable Long count) {
      return count == null ? 0 : count;
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
