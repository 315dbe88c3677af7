package dev.agentreplay.engine.view;

import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.check.CallPairing;
import dev.agentreplay.model.check.EventRules;
import dev.agentreplay.model.receipt.RunTotals;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Computes the totals of a session from its events, which must be added in the order of the log.
 * Its memory is bounded by the names of tools, models and agents, and by the open calls that
 * {@link CallPairing} holds. Not safe for use by several threads.
 */
public final class StatsAccumulator {

  record Totals(
      long events,
      long unknownEvents,
      long toolCalls,
      long toolResults,
      long failedToolResults,
      long totalLatencyMillis,
      ModelTotals models,
      double averageStepUtility,
      long utilities,
      long statedUtilities,
      @Nullable Timestamp firstTime,
      @Nullable Timestamp lastTime,
      long timedEvents,
      Map<String, ToolStats> byTool,
      Map<String, ModelStats> byModel,
      Map<String, AgentStats> byAgent)
      implements SessionStats {

    @Override
    public @Nullable Duration duration() {
      if (timedEvents < 2 || firstTime == null || lastTime == null) {
        return null;
      }
      Duration duration = Duration.between(firstTime.instant(), lastTime.instant());
      return duration.isNegative() ? null : duration;
    }

    @Override
    public long modelCalls() {
      return models.calls();
    }

    @Override
    public long modelResults() {
      return models.answered();
    }

    @Override
    public long failedModelResults() {
      return models.failed();
    }

    @Override
    public long modelLatencyMillis() {
      return models.totalLatencyMillis();
    }

    @Override
    public long turns() {
      long failed = byModel.values().stream().mapToLong(ModelStats::failed).sum();
      return models.calls() - failed;
    }

    @Override
    public long tokensIn() {
      return models.tokensIn();
    }

    @Override
    public long tokensOut() {
      return models.tokensOut();
    }

    @Override
    public long resultsWithoutTokens() {
      return models.withoutTokens();
    }

    @Override
    public @Nullable Long meanTimeToFirstMillis() {
      return models.meanTimeToFirstMillis();
    }

    @Override
    public Cost cost(Prices prices) {
      BigDecimal amount = BigDecimal.ZERO;
      SortedSet<String> unpriced = new TreeSet<>();
      long withoutTokens = 0;
      for (Map.Entry<String, ModelStats> entry : byModel.entrySet()) {
        Prices.Price price = prices.of(entry.getKey());
        ModelTotals model = (ModelTotals) entry.getValue();
        if (model.answered() > 0 && price == null) {
          unpriced.add(entry.getKey());
        } else if (price != null) {
          amount = amount.add(model.cost(price));
          withoutTokens += model.withoutTokens();
        }
      }
      return new CostTotal(amount, Collections.unmodifiableSet(unpriced), withoutTokens);
    }
  }

  record CostTotal(BigDecimal amount, Set<String> modelsWithoutPrice, long withoutTokens)
      implements SessionStats.Cost {}

  /** The agent and the model of a model call, each empty if the call states none. */
  private record Asked(String agent, String model) {}

  private final CallPairing<String> pairing = new CallPairing<>();
  private final CallPairing<Asked> asked = new CallPairing<>();
  private final Map<String, ToolTotals> byTool = new TreeMap<>();
  private final Map<String, ModelTotals> byModel = new TreeMap<>();
  private final Map<String, AgentTotals> byAgent = new TreeMap<>();
  private final RunTotals totals = new RunTotals();
  private ModelTotals models = ModelTotals.NONE;
  private long events;
  private long unknownEvents;
  private long toolResults;
  private long failedToolResults;
  private double averageUtility;
  private long stated;
  private long utilities;
  private @Nullable Timestamp firstTime;
  private @Nullable Timestamp lastTime;
  private long timedEvents;

  /** Creates an accumulator without events. */
  public StatsAccumulator() {}

  /** Adds an event. */
  public StatsAccumulator add(ReplayEvent event) {
    events++;
    totals.add(event);
    if (event.time() != null) {
      firstTime = firstTime == null ? event.time() : firstTime;
      lastTime = event.time();
      timedEvents++;
    }
    if (event instanceof ToolCall call) {
      pairing.call(call.id(), call.meta().agent(), call.tool());
      byTool.merge(call.tool(), new ToolTotals(1, 0, 0, 0), ToolTotals::plus);
      add(agent(event), new AgentTotals(1, 0, 0, 0));
    } else if (event instanceof ToolResult result) {
      result(result);
    } else if (event instanceof ModelCall call) {
      String model = call.model() == null ? "" : call.model();
      asked.call(call.id(), call.meta().agent(), new Asked(agent(event), model));
      add(model, ModelTotals.CALL);
      add(agent(event), new AgentTotals(0, 1, 0, 0));
    } else if (event instanceof ModelResult result) {
      result(result);
    } else if (event instanceof UnknownEvent) {
      unknownEvents++;
    }
    return this;
  }

  /** Returns the totals of the events added so far. */
  public SessionStats toStats() {
    return new Totals(
        events,
        unknownEvents,
        totals.toolCalls(),
        toolResults,
        failedToolResults,
        totals.totalLatencyMillis(),
        models,
        averageUtility,
        utilities,
        stated,
        firstTime,
        lastTime,
        timedEvents,
        Collections.unmodifiableMap(new TreeMap<>(byTool)),
        Collections.unmodifiableMap(new TreeMap<>(byModel)),
        byAgent.size() > 1 ? Collections.unmodifiableMap(new TreeMap<>(byAgent)) : Map.of());
  }

  private void add(String model, ModelTotals more) {
    models = models.plus(more);
    byModel.merge(model, more, ModelTotals::plus);
  }

  private void add(String agent, AgentTotals more) {
    byAgent.merge(agent, more, AgentTotals::plus);
  }

  /** Adds the result of a model to the model and the agent of its call. */
  private void result(ModelResult result) {
    ModelTotals more = ModelTotals.of(result);
    Asked call = asked.result(result.id(), result.meta().agent());
    add(call == null ? "" : call.model(), more);
    if (call == null) {
      return;
    }
    add(call.agent(), new AgentTotals(0, 0, more.tokensIn(), more.tokensOut()));
  }

  private static String agent(ReplayEvent event) {
    String agent = event.meta().agent();
    return agent == null ? "" : agent;
  }

  private void result(ToolResult result) {
    toolResults++;
    failedToolResults += result.succeeded() ? 0 : 1;
    Double utility = result.stepUtility();
    if (utility != null) {
      stated++;
      utilities += utility == 0 ? 0 : 1;
      // a running mean stays finite; a sum of hostile values could overflow
      averageUtility += utility / stated - averageUtility / stated;
    }
    String tool = pairing.result(result.id(), result.meta().agent());
    if (tool != null) {
      int failed = result.succeeded() ? 0 : 1;
      long latency = EventRules.addTotal(0, result.latencyMillis());
      byTool.merge(tool, new ToolTotals(0, 1, failed, latency), ToolTotals::plus);
    }
  }
}
