package dev.agentreplay.engine.view;

import dev.agentreplay.model.check.EventRules;

/** The totals over the calls of one tool. */
record ToolTotals(long calls, long answered, long failed, long totalLatencyMillis)
    implements SessionStats.ToolStats {

  ToolTotals plus(ToolTotals other) {
    return new ToolTotals(
        calls + other.calls,
        answered + other.answered,
        failed + other.failed,
        EventRules.addTotal(totalLatencyMillis, other.totalLatencyMillis));
  }
}
