package dev.agentreplay.engine.report;

import dev.agentreplay.engine.view.FolderEntry;
import dev.agentreplay.engine.view.FolderTotals;
import dev.agentreplay.engine.view.Prices;
import dev.agentreplay.engine.view.SessionStats;
import dev.agentreplay.engine.view.SessionStats.Cost;
import dev.agentreplay.engine.view.SessionSummary;
import dev.agentreplay.engine.view.SessionTree;
import dev.agentreplay.model.ForkOrigin;
import dev.agentreplay.model.ImportOrigin;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayOrigin;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Renders the summaries of sessions as JSON: schema {@code replay.list/1}, see docs/reports.md.
 * Later versions may add members.
 */
public final class SummaryJson {

  private static final String SCHEMA = "replay.list/1";

  private SummaryJson() {}

  /**
   * Renders the summary of a session.
   *
   * @param path the path of the session
   * @param prices the prices for its cost; without prices it has none
   */
  public static JsonObject render(Path path, SessionSummary summary, Prices prices) {
    SessionStats totals = summary.totals();
    JsonObject.Builder json = JsonObject.builder();
    JsonObject.of(
            "schema",
            SCHEMA,
            "path",
            path.toString(),
            Names.SESSION_ID,
            summary.sessionId(),
            "task",
            summary.task(),
            "service",
            summary.service(),
            "tags",
            JsonValue.of(summary.labels().tags()),
            "user",
            summary.labels().user(),
            "environment",
            summary.labels().environment(),
            "commit",
            summary.commit(),
            "status",
            FolderTotals.statusOf(summary),
            "failed",
            summary.failed(),
            Names.STARTED_AT,
            text(summary.startTime()),
            Names.DURATION_MS,
            millis(totals.duration()),
            "events",
            totals.events(),
            "tool_calls",
            totals.toolCalls(),
            StatsJson.FAILED_TOOL_RESULTS,
            totals.failedToolResults(),
            Names.MODEL_CALLS,
            totals.modelCalls(),
            StatsJson.FAILED_MODEL_RESULTS,
            totals.failedModelResults(),
            "turns",
            totals.turns(),
            Names.TOKENS_IN,
            totals.tokensIn(),
            Names.TOKENS_OUT,
            totals.tokensOut())
        .forEach(json::add);
    ForkOrigin fork = summary.forkedFrom();
    if (fork != null) {
      json.put(Names.FORKED_FROM, fork.json().with("line", fork.line()));
    }
    ReplayOrigin replay = summary.replayOf();
    if (replay != null) {
      json.put(Names.REPLAY_OF, replay.json());
    }
    ImportOrigin imported = summary.importedFrom();
    if (imported != null) {
      json.put(Names.IMPORTED_FROM, imported.json());
    }
    if (!prices.isEmpty()) {
      Cost cost = totals.cost(prices);
      json.add(
          "cost", JsonObject.of("amount", cost.amount(), StatsJson.IS_COMPLETE, cost.isComplete()));
    }
    return json.build();
  }

  /**
   * Renders an entry without a summary.
   *
   * @param reason the reason why it could not be read
   */
  public static JsonObject renderUnreadable(
      FolderEntry.Failed<SessionSummary> entry, String reason) {
    return JsonObject.of(
        "schema",
        SCHEMA,
        "path",
        entry.path().toString(),
        "status",
        entry.isSkipped() ? "skipped" : "unreadable",
        "error",
        reason);
  }

  /**
   * Adds the parent of a fork or a replay to the summary of its session.
   *
   * @param summary the rendered summary
   * @param path the path of the parent
   * @param parent the parent as the tree of the sessions has it
   */
  public static JsonObject withParent(JsonObject summary, Path path, SessionTree.Parent parent) {
    JsonObject found =
        JsonObject.of("path", path.toString(), "matched_by", parent.evidence().id());
    return summary.with(
        Names.PARENT, parent.fault() == null ? found : found.with("error", parent.fault()));
  }

  private static @Nullable String text(@Nullable Timestamp time) {
    return time == null ? null : time.toString();
  }

  private static @Nullable Long millis(@Nullable Duration duration) {
    return duration == null ? null : duration.toMillis();
  }
}
