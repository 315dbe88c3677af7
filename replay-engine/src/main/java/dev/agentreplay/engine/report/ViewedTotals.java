package dev.agentreplay.engine.report;

import dev.agentreplay.engine.report.embedded.ModelCosts;
import dev.agentreplay.engine.view.Prices;
import dev.agentreplay.engine.view.SessionStats;
import dev.agentreplay.engine.view.SessionStats.AgentStats;
import dev.agentreplay.engine.view.SessionStats.Cost;
import dev.agentreplay.engine.view.SessionStats.ModelStats;
import dev.agentreplay.engine.view.SessionStats.ToolStats;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.Excerpt;
import java.util.Collection;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Converts the totals of a session to the part of {@link ViewerData} that has them.
 *
 * <pre>
 * totals   {calls, answered, failed, tools, turns, model_failed, model, tokens?: [in, out, without],
 *           first?, duration?, utility?, cost?, cost_complete?, by_tool: [tool], by_model: [model],
 *           by_agent: [agent], others: [tools, models, agents]}
 *          calls: of tools, of those answered those with a result; tools, model: the sums of the
 *          latencies; first: the mean time to the first token; utility: the mean, unless none is
 *          stated or all are 0; cost: a decimal number as text; cost_complete: whether it includes
 *          all model calls; others: the numbers of those that are not listed. Times are in ms
 * tool     [name, calls, failed, latency]  in descending order of the latency
 * model    [name, calls, failed, latency, tokens in, tokens out, first or null]
 * agent    [id, tool calls, model calls, tokens in, tokens out]
 * </pre>
 */
final class ViewedTotals {

  private static final int LONGEST_NAME = 200;

  /** The most tools, models or agents: more cannot be overlooked. */
  private static final int MAX_LISTED = 200;

  private ViewedTotals() {}

  static JsonObject json(SessionStats stats, Prices prices) {
    Collection<ToolStats> tools = stats.byTool().values();
    boolean hasTokens = stats.tokensIn() > 0 || stats.tokensOut() > 0;
    JsonObject.Builder out = JsonObject.builder();
    out.put("calls", stats.toolCalls());
    out.put("answered", tools.stream().mapToLong(ToolStats::answered).sum());
    out.put("failed", tools.stream().mapToLong(ToolStats::failed).sum());
    out.put("tools", stats.totalLatencyMillis());
    out.put("turns", stats.turns());
    out.put("model_failed", stats.failedModelResults());
    out.put("model", stats.modelLatencyMillis());
    put(
        out,
        "tokens",
        hasTokens
            ? JsonArray.of(stats.tokensIn(), stats.tokensOut(), stats.resultsWithoutTokens())
            : null);
    put(out, "first", stats.meanTimeToFirstMillis());
    put(out, "duration", stats.duration() == null ? null : stats.duration().toMillis());
    put(out, "utility", stats.utilities() == 0 ? null : stats.averageStepUtility());
    if (!prices.isEmpty()) {
      Cost cost = stats.cost(prices);
      out.put("cost", ModelCosts.text(cost.amount()));
      out.put("cost_complete", cost.isComplete());
    }
    out.put("by_tool", listed(stats.byTool(), ToolStats::totalLatencyMillis, ViewedTotals::tool));
    out.put(
        StatsJson.BY_MODEL,
        listed(stats.byModel(), ModelStats::totalLatencyMillis, ViewedTotals::model));
    out.put(
        StatsJson.BY_AGENT,
        listed(
            stats.byAgent(), agent -> agent.toolCalls() + agent.modelCalls(), ViewedTotals::agent));
    out.put(
        "others",
        JsonArray.of(others(stats.byTool()), others(stats.byModel()), others(stats.byAgent())));
    return out.build();
  }

  private static void put(JsonObject.Builder out, String name, @Nullable Object value) {
    if (value != null) {
      out.put(name, value);
    }
  }

  private static int others(Map<String, ?> all) {
    return Math.max(0, all.size() - MAX_LISTED);
  }

  private static <T> JsonArray listed(
      Map<String, T> all, ToLongFunction<T> size, BiFunction<String, T, JsonArray> row) {
    return JsonArray.copyOf(all.entrySet().stream()
        .sorted(
            (a, b) -> Long.compare(size.applyAsLong(b.getValue()), size.applyAsLong(a.getValue())))
        .limit(MAX_LISTED)
        .map(each -> row.apply(Excerpt.beginning(each.getKey(), LONGEST_NAME), each.getValue()))
        .toList());
  }

  private static JsonArray tool(String name, ToolStats tool) {
    return JsonArray.of(name, tool.calls(), tool.failed(), tool.totalLatencyMillis());
  }

  private static JsonArray model(String name, ModelStats model) {
    return JsonArray.of(
        name,
        model.calls(),
        model.failed(),
        model.totalLatencyMillis(),
        model.tokensIn(),
        model.tokensOut(),
        model.meanTimeToFirstMillis());
  }

  private static JsonArray agent(String id, AgentStats agent) {
    return JsonArray.of(
        id, agent.toolCalls(), agent.modelCalls(), agent.tokensIn(), agent.tokensOut());
  }
}
