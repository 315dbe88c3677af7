package dev.agentreplay.engine.view;

import dev.agentreplay.model.Timestamp;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Totals over the events of one session (specification 000, "Replay Reader"): numbers of calls and
 * failures, latencies, tokens and utilities. Immutable.
 *
 * <p>A {@link StatsAccumulator} computes them from a stream of events.
 */
public sealed interface SessionStats permits StatsAccumulator.Totals {

  /** The totals over the calls of one tool. */
  sealed interface ToolStats permits ToolTotals {

    /** The number of calls. */
    long calls();

    /** The number of calls that have a result. */
    long answered();

    /** The number of answered calls that failed. */
    long failed();

    /** The sum of the latencies of the results, in milliseconds. */
    long totalLatencyMillis();
  }

  /** The totals over the calls of one model. */
  sealed interface ModelStats permits ModelTotals {

    /** The number of calls. */
    long calls();

    /** The number of calls that have a result. */
    long answered();

    /** The number of answered calls that failed. */
    long failed();

    /** The sum of the latencies of the results, in milliseconds. */
    long totalLatencyMillis();

    /** The sum of the tokens that the model read, as far as the log states them. */
    long tokensIn();

    /** The sum of the tokens that the model wrote, as far as the log states them. */
    long tokensOut();

    /**
     * The number of results that do not state both numbers of tokens, without those with an error
     * that state neither.
     */
    long withoutTokens();

    /** The number of answers that were streamed. */
    long streamed();

    /**
     * The mean time from the call to the first piece of a streamed answer, in milliseconds; null if
     * none was streamed.
     */
    @Nullable
    Long meanTimeToFirstMillis();
  }

  /** The totals over the calls of one agent. */
  sealed interface AgentStats permits AgentTotals {

    /** The number of tool calls. */
    long toolCalls();

    /** The number of model calls. */
    long modelCalls();

    /** The sum of the tokens that models read, as far as the log states them. */
    long tokensIn();

    /** The sum of the tokens that models wrote, as far as the log states them. */
    long tokensOut();
  }

  /**
   * The cost of the results of models in the log, also of failed ones that state their tokens; a
   * failed one that states none costs nothing. Cached and reasoning tokens cost what other tokens
   * do.
   */
  sealed interface Cost permits StatsAccumulator.CostTotal {

    /** The cost of the calls whose model has a price and whose result states its tokens. */
    BigDecimal amount();

    /** The called models that have no price, sorted; those without a name are the empty text. */
    Set<String> modelsWithoutPrice();

    /** The number of results of models with a price that do not state both numbers of tokens. */
    long withoutTokens();

    /** Whether the amount includes all calls. */
    default boolean isComplete() {
      return modelsWithoutPrice().isEmpty() && withoutTokens() == 0;
    }
  }

  /** The number of events, the header included. */
  long events();

  /** The number of events of a type that this version does not know, or without what identifies. */
  long unknownEvents();

  /** The number of tool calls. */
  long toolCalls();

  /** The number of tool results. */
  long toolResults();

  /** The number of tool results, with or without their call, that report a failure. */
  long failedToolResults();

  /** The sum of the latencies of the tool results, in milliseconds. */
  long totalLatencyMillis();

  /** The number of model calls. */
  long modelCalls();

  /** The number of results of model calls. */
  long modelResults();

  /** The number of results of model calls, with or without their call, that report an error. */
  long failedModelResults();

  /** The sum of the latencies of the model results, in milliseconds. */
  long modelLatencyMillis();

  /** The number of turns, see {@link Turn}: the model calls that did not fail. */
  long turns();

  /** The sum of the tokens that models read, as far as the log states them. */
  long tokensIn();

  /** The sum of the tokens that models wrote, as far as the log states them. */
  long tokensOut();

  /** The number of model results without an error that do not state both numbers of tokens. */
  long resultsWithoutTokens();

  /**
   * The mean time from a model call to the first piece of its streamed answer, in milliseconds;
   * null if no answer was streamed.
   */
  @Nullable
  Long meanTimeToFirstMillis();

  /** The mean of the step utilities of the tool results that state one; 0.0 when none does. */
  double averageStepUtility();

  /** The number of tool results that state a step utility other than 0. */
  long utilities();

  /** The time of the first event that states one; null if none does. */
  @Nullable
  Timestamp firstTime();

  /** The time of the last event that states one; null if none does. */
  @Nullable
  Timestamp lastTime();

  /**
   * The time between the first and the last event; null unless two events state a time, and if the
   * clock went backwards.
   */
  @Nullable
  Duration duration();

  /** The totals of each tool, sorted by the name of the tool. Unmodifiable. */
  Map<String, ToolStats> byTool();

  /**
   * The totals of each model, sorted by its name; those of calls without a model, and of results
   * without a call, are under the empty name. Unmodifiable.
   */
  Map<String, ModelStats> byModel();

  /**
   * The totals of each agent, sorted by its id; those of the calls without an agent are under the
   * empty id. Empty unless there are calls of several agents. Unmodifiable.
   */
  Map<String, AgentStats> byAgent();

  /** Computes the cost of the model calls. */
  Cost cost(Prices prices);
}
