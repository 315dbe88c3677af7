package dev.agentreplay.engine.report;

import dev.agentreplay.engine.SessionStats;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonObject;

/**
 * Renders the statistics of a session as JSON: schema {@code replay.stats/1}, see docs/reports.md.
 * Later versions may add members.
 */
public final class StatsJson {

  private StatsJson() {}

  /** Renders the statistics of a session. */
  public static JsonObject render(SessionStats stats) {
    JsonObject.Builder tools = JsonObject.builder();
    stats.byTool().forEach((name, tool) -> tools.put(name, tool(tool)));
    JsonObject json = JsonObject.of(
        "schema", "replay.stats/1",
        "events", stats.events(),
        "tool_calls", stats.toolCalls(),
        "tool_results", stats.toolResults(),
        "total_latency_ms", stats.totalLatencyMillis(),
        "average_step_utility", stats.averageStepUtility(),
        "by_tool", tools.build());
    if (stats.byAgent().isEmpty()) {
      return json;
    }
    JsonObject.Builder agents = JsonObject.builder();
    stats.byAgent().forEach((id, agent) -> agents.put(id, agent(agent)));
    return json.with("by_agent", agents.build());
  }

  private static JsonObject agent(SessionStats.AgentStats agent) {
    return JsonObject.of(
        "tool_calls",
        agent.toolCalls(),
        "model_calls",
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
