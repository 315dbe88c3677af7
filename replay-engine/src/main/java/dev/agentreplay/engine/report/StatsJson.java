package dev.agentreplay.engine.report;

import dev.agentreplay.engine.view.FolderTotals;
import dev.agentreplay.engine.view.Prices;
import dev.agentreplay.engine.view.SessionStats;
import dev.agentreplay.engine.view.SessionStats.Cost;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Renders the statistics of a session as JSON: schema {@code replay.stats/1}, see docs/reports.md.
 * Later versions may add members.
 */
public final class StatsJson {

  static final String BY_AGENT = "by_agent";
  static final String BY_MODEL = "by_model";
  static final String FAILED_MODEL_RESULTS = "failed_model_results";
  static final String FAILED_TOOL_RESULTS = "failed_tool_results";
  static final String IS_COMPLETE = "is_complete";

  private StatsJson() {}

  /** Renders the statistics of a session. */
  public static JsonObject render(SessionStats stats) {
    return render(stats, Prices.NONE);
  }

  /** Renders the statistics of a session, with its cost unless there are no prices. */
  public static JsonObject render(SessionStats stats, Prices prices) {
    JsonObject.Builder json = JsonObject.builder();
    JsonObject.of(
            "schema",
            "replay.stats/1",
            "events",
            stats.events(),
            Names.UNKNOWN_EVENTS,
            stats.unknownEvents(),
            "tool_calls",
            stats.toolCalls(),
            Names.TOOL_RESULTS,
            stats.toolResults(),
            FAILED_TOOL_RESULTS,
            stats.failedToolResults(),
            "total_latency_ms",
            stats.totalLatencyMillis(),
            "average_step_utility",
            stats.averageStepUtility(),
            Names.MODEL_CALLS,
            stats.modelCalls(),
            "model_results",
            stats.modelResults(),
            FAILED_MODEL_RESULTS,
            stats.failedModelResults(),
            "model_latency_ms",
            stats.modelLatencyMillis(),
            "time_to_first_token_ms",
            stats.meanTimeToFirstMillis(),
            "turns",
            stats.turns(),
            Names.TOKENS_IN,
            stats.tokensIn(),
            Names.TOKENS_OUT,
            stats.tokensOut(),
            "results_without_tokens",
            stats.resultsWithoutTokens(),
            Names.DURATION_MS,
            stats.duration() == null ? null : stats.duration().toMillis())
        .forEach(json::add);
    if (!prices.isEmpty()) {
      json.add("cost", cost(stats.cost(prices)));
    }
    json.add("by_tool", each(stats.byTool(), StatsJson::tool));
    json.add(BY_MODEL, each(stats.byModel(), StatsJson::model));
    if (!stats.byAgent().isEmpty()) {
      json.add(BY_AGENT, each(stats.byAgent(), StatsJson::agent));
    }
    return json.build();
  }

  /**
   * Renders the totals over many sessions: those of one session with {@code sessions},
   * {@code unreadable}, {@code skipped}, {@code by_status}, and the sum of the durations.
   */
  public static JsonObject render(FolderTotals totals, Prices prices) {
    JsonObject ofAll = render(totals.stats(), prices);
    JsonObject.Builder json = JsonObject.builder();
    json.add("schema", Objects.requireNonNull(ofAll.get("schema")));
    json.add("sessions", JsonNumber.of(totals.sessions()));
    json.add("unreadable", JsonNumber.of(totals.unreadable()));
    json.add("skipped", JsonNumber.of(totals.skipped()));
    json.add("by_status", JsonValue.of(totals.byStatus()));
    ofAll
        .with(Names.DURATION_MS, totals.totalDuration().toMillis())
        .without("schema")
        .forEach(json::add);
    return json.build();
  }

  private static <T> JsonObject each(Map<String, T> totals, Function<T, JsonObject> json) {
    JsonObject.Builder all = JsonObject.builder();
    totals.forEach((name, total) -> all.put(name, json.apply(total)));
    return all.build();
  }

  private static JsonObject cost(Cost cost) {
    return JsonObject.of(
        "amount",
        cost.amount(),
        IS_COMPLETE,
        cost.isComplete(),
        "models_without_price",
        JsonValue.of(List.copyOf(cost.modelsWithoutPrice())),
        "results_without_tokens",
        cost.withoutTokens());
  }

  private static JsonObject model(SessionStats.ModelStats model) {
    return JsonObject.of(
        "calls",
        model.calls(),
        "answered",
        model.answered(),
        "failed",
        model.failed(),
        "total_latency_ms",
        model.totalLatencyMillis(),
        "time_to_first_token_ms",
        model.meanTimeToFirstMillis(),
        Names.TOKENS_IN,
        model.tokensIn(),
        Names.TOKENS_OUT,
        model.tokensOut(),
        "results_without_tokens",
        model.withoutTokens());
  }

  private static JsonObject agent(SessionStats.AgentStats agent) {
    return JsonObject.of(
        "tool_calls",
        agent.toolCalls(),
        Names.MODEL_CALLS,
        agent.modelCalls(),
        Names.TOKENS_IN,
        agent.tokensIn(),
        Names.TOKENS_OUT,
        agent.tokensOut());
  }

  private static JsonObject tool(SessionStats.ToolStats tool) {
    return JsonObject.of(
        "calls", tool.calls(),
        "answered", tool.answered(),
        "failed", tool.failed(),
        "total_latency_ms", tool.totalLatencyMillis());
  }
}
