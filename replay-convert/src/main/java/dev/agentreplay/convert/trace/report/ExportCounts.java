package dev.agentreplay.convert.trace.report;

import dev.agentreplay.model.json.JsonObject;

/**
 * The numbers of what an exported session has.
 *
 * @param events the events of the session, with its header
 * @param modelCalls the calls of models
 * @param toolCalls the calls of tools
 * @param toolResults the results of tools that belong to a call
 * @param orphanResults the results of tools and models without a call, which are kept as events
 * @param agents the lanes of sub-agents
 * @param written the steps, spans or events of the document that was written
 */
public record ExportCounts(
    long events,
    long modelCalls,
    long toolCalls,
    long toolResults,
    long orphanResults,
    long agents,
    long written) {

  /** The numbers as members of an object. */
  public JsonObject toJson() {
    return JsonObject.of(
        "agents", agents,
        "events", events,
        "model_calls", modelCalls,
        "orphan_results", orphanResults,
        "tool_calls", toolCalls,
        "tool_results", toolResults,
        "written", written);
  }
}
