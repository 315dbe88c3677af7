package dev.agentreplay.convert.trace.reading;

import dev.agentreplay.convert.trace.report.ImportCounts;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Counts the events of a session that is imported. */
public final class EventCounts {

  /** The maximum number of lanes that are distinguished. */
  private static final int MAX_LANES = 100_000;

  private final Set<String> lanes = new HashSet<>();
  private long events;
  private long messages;
  private long modelCalls;
  private long toolCalls;
  private long toolResults;
  private long orphanResults;
  private long tokensIn;
  private long tokensOut;

  void add(ReplayEvent event) {
    events++;
    String lane = event.meta().agent();
    if (lane != null && lanes.size() < MAX_LANES) {
      lanes.add(lane);
    }
    if (event instanceof ModelCall) {
      modelCalls++;
    } else if (event instanceof ToolCall) {
      toolCalls++;
    } else if (event instanceof ToolResult) {
      toolResults++;
    } else if (event instanceof ModelResult result) {
      tokensIn = sum(tokensIn, result.tokens().input());
      tokensOut = sum(tokensOut, result.tokens().output());
    }
  }

  /** The sum, at most the largest number. */
  private static long sum(long total, @Nullable Long more) {
    return more == null ? total : total > Long.MAX_VALUE - more ? Long.MAX_VALUE : total + more;
  }

  void addMessage() {
    messages++;
  }

  void addOrphan() {
    orphanResults++;
  }

  /** The numbers so far, for a source with a number of records. */
  public ImportCounts toCounts(long records) {
    return new ImportCounts(
        records,
        events,
        messages,
        modelCalls,
        toolCalls,
        toolResults,
        orphanResults,
        lanes.size(),
        tokensIn,
        tokensOut);
  }
}
