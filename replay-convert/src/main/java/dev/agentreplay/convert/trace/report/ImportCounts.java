package dev.agentreplay.convert.trace.report;

import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonObject;

/**
 * The numbers of what an imported session has.
 *
 * @param records the records of the source
 * @param events the events of the session, without its header
 * @param messages the messages of users
 * @param modelCalls the calls of models
 * @param toolCalls the calls of tools
 * @param toolResults the results of tools that belong to a call
 * @param orphanResults the results of tools whose call the source does not have, which are kept as
 *     records
 * @param agents the lanes of sub-agents
 * @param tokensIn the sum of the tokens of the prompts, as far as the source states them
 * @param tokensOut the sum of the tokens of the answers, as far as the source states them
 */
public record ImportCounts(
    long records,
    long events,
    long messages,
    long modelCalls,
    long toolCalls,
    long toolResults,
    long orphanResults,
    long agents,
    long tokensIn,
    long tokensOut) {

  /** The numbers of nothing. */
  public static final ImportCounts NONE = new ImportCounts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** Returns the sums of these numbers and others. */
  public ImportCounts plus(ImportCounts others) {
    return new ImportCounts(
        records + others.records,
        events + others.events,
        messages + others.messages,
        modelCalls + others.modelCalls,
        toolCalls + others.toolCalls,
        toolResults + others.toolResults,
        orphanResults + others.orphanResults,
        agents + others.agents,
        tokensIn + others.tokensIn,
        tokensOut + others.tokensOut);
  }

  /** Whether there is a message, a model call or a tool call: a turn of an agent. */
  public boolean hasTurns() {
    return messages + modelCalls + toolCalls > 0;
  }

  /** The numbers as members of an object. */
  public JsonObject toJson() {
    return JsonObject.of(
        "agents",
        agents,
        "events",
        events,
        "messages",
        messages,
        Names.MODEL_CALLS,
        modelCalls,
        "orphan_results",
        orphanResults,
        "records",
        records,
        Names.TOKENS_IN,
        tokensIn,
        Names.TOKENS_OUT,
        tokensOut,
        Names.TOOL_CALLS,
        toolCalls,
        Names.TOOL_RESULTS,
        toolResults);
  }
}
