package dev.agentreplay.engine.view;

import dev.agentreplay.engine.view.SessionStats.ModelStats;
import dev.agentreplay.engine.view.SessionStats.ToolStats;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.check.EventRules;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The sums of the totals of several sessions. Not safe for use by several threads. */
final class StatsSum {

  private final Map<String, ToolStats> byTool = new TreeMap<>();
  private final Map<String, ModelStats> byModel = new TreeMap<>();
  private ModelTotals models = ModelTotals.NONE;
  private long events;
  private long unknownEvents;
  private long toolCalls;
  private long toolResults;
  private long failedToolResults;
  private long totalLatencyMillis;
  private long utilities;
  private long stated;
  private double averageUtility;
  private @Nullable Timestamp first;
  private @Nullable Timestamp last;
  private long timed;

  StatsSum() {}

  /** Adds the totals of a session. */
  void add(SessionStats stats) {
    StatsAccumulator.Totals more = (StatsAccumulator.Totals) stats;
    events += more.events();
    unknownEvents += more.unknownEvents();
    toolCalls += more.toolCalls();
    toolResults += more.toolResults();
    failedToolResults += more.failedToolResults();
    totalLatencyMillis = EventRules.addTotal(totalLatencyMillis, more.totalLatencyMillis());
    utilities += more.utilities();
    if (more.statedUtilities() > 0) {
      stated += more.statedUtilities();
      double weight = (double) more.statedUtilities() / stated;
      averageUtility += more.averageStepUtility() * weight - averageUtility * weight;
    }
    models = models.plus(more.models());
    first = outer(first, more.firstTime(), -1);
    last = outer(last, more.lastTime(), 1);
    timed += more.timedEvents();
    more.byTool()
        .forEach((tool, each) ->
            byTool.merge(tool, each, (one, other) -> ((ToolTotals) one).plus((ToolTotals) other)));
    more.byModel()
        .forEach((model, each) -> byModel.merge(
            model, each, (one, other) -> ((ModelTotals) one).plus((ModelTotals) other)));
  }

  /** The earlier of two times, or the later if the sign is 1. */
  private static @Nullable Timestamp outer(
      @Nullable Timestamp one, @Nullable Timestamp other, int sign) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return sign * other.instant().compareTo(one.instant()) > 0 ? other : one;
  }

  /** Returns the sums; they have no totals of agents, whose ids mean one session. */
  SessionStats toStats() {
    return new StatsAccumulator.Totals(
        events,
        unknownEvents,
        toolCalls,
        toolResults,
        failedToolResults,
        totalLatencyMillis,
        models,
        averageUtility,
        utilities,
        stated,
        first,
        last,
        timed,
        Collections.unmodifiableMap(new TreeMap<>(byTool)),
        Collections.unmodifiableMap(new TreeMap<>(byModel)),
        Map.of());
  }
}
