package dev.agentreplay.engine.view;

import dev.agentreplay.model.check.EventRules;

/** The totals over the calls of one agent. */
record AgentTotals(long toolCalls, long modelCalls, long tokensIn, long tokensOut)
    implements SessionStats.AgentStats {

  AgentTotals plus(AgentTotals other) {
    return new AgentTotals(
        toolCalls + other.toolCalls,
        modelCalls + other.modelCalls,
        EventRules.addTotal(tokensIn, other.tokensIn),
        EventRules.addTotal(tokensOut, other.tokensOut));
  }
}
