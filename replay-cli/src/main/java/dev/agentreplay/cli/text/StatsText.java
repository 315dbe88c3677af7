package dev.agentreplay.cli.text;

import dev.agentreplay.engine.view.FolderTotals;
import dev.agentreplay.engine.view.Prices;
import dev.agentreplay.engine.view.SessionStats;
import dev.agentreplay.engine.view.SessionStats.Cost;
import dev.agentreplay.model.text.PlainText;

/** The totals of one session, or of many, as text. */
public final class StatsText {

  private final Style style;
  private final Prices prices;
  private final StringBuilder out = new StringBuilder();

  public StatsText(Style style, Prices prices) {
    this.style = style;
    this.prices = prices;
  }

  /** The totals of one session. */
  public String of(SessionStats stats) {
    totals(stats);
    if (stats.duration() != null) {
      milliseconds("duration", stats.duration().toMillis());
    }
    tables(stats);
    return out.toString();
  }

  /** The totals of many sessions. */
  public String of(FolderTotals folder) {
    count("sessions", folder.sessions());
    folder.byStatus().forEach((status, number) -> count("  " + Style.fit(status, 20), number));
    if (folder.unreadable() > 0) {
      count("not readable", folder.unreadable());
    }
    if (folder.skipped() > 0) {
      count("places skipped", folder.skipped());
    }
    totals(folder.stats());
    milliseconds("sum of durations", folder.totalDuration().toMillis());
    tables(folder.stats());
    return out.toString();
  }

  private void totals(SessionStats stats) {
    count("events", stats.events());
    if (stats.unknownEvents() > 0) {
      count("unknown events", stats.unknownEvents());
    }
    count("tool calls", stats.toolCalls());
    count("tool results", stats.toolResults());
    count("failed tool results", stats.failedToolResults());
    milliseconds("time of tools", stats.totalLatencyMillis());
    if (stats.utilities() > 0) {
      line("average step utility", "%.3f".formatted(stats.averageStepUtility()), "");
    }
    if (stats.modelCalls() + stats.modelResults() > 0) {
      models(stats);
    }
  }

  private void models(SessionStats stats) {
    count("model calls", stats.modelCalls());
    if (stats.failedModelResults() > 0) {
      count("failed model calls", stats.failedModelResults());
    }
    count("turns", stats.turns());
    milliseconds("time of models", stats.modelLatencyMillis());
    if (stats.meanTimeToFirstMillis() != null) {
      milliseconds("mean time to first token", stats.meanTimeToFirstMillis());
    }
    count("tokens in", stats.tokensIn());
    count("tokens out", stats.tokensOut());
    if (stats.resultsWithoutTokens() > 0) {
      count("results without tokens", stats.resultsWithoutTokens());
    }
    if (!prices.isEmpty()) {
      Cost cost = stats.cost(prices);
      line("cost", "%s%,.4f".formatted(cost.isComplete() ? "" : "at least ", cost.amount()), "");
      if (!cost.modelsWithoutPrice().isEmpty()) {
        out.append("  no price of: ")
            .append(Style.plain(String.join(", ", cost.modelsWithoutPrice())))
            .append('\n');
      }
    }
  }

  private void tables(SessionStats stats) {
    if (!stats.byTool().isEmpty()) {
      heading("tool", " %9s %9s %9s %14s".formatted("calls", "answered", "failed", "time"));
    }
    stats
        .byTool()
        .forEach((name, tool) -> row(
            name,
            " %,9d %,9d %,9d %,11d ms"
                .formatted(
                    tool.calls(), tool.answered(), tool.failed(), tool.totalLatencyMillis())));
    if (!stats.byModel().isEmpty()) {
      heading(
          "model",
          " %9s %9s %14s %11s %11s"
              .formatted("calls", "failed", "time", "tokens in", "tokens out"));
    }
    stats
        .byModel()
        .forEach((name, model) -> row(
            name,
            " %,9d %,9d %,11d ms %,11d %,11d"
                .formatted(
                    model.calls(),
                    model.failed(),
                    model.totalLatencyMillis(),
                    model.tokensIn(),
                    model.tokensOut())));
    if (!stats.byAgent().isEmpty()) {
      heading(
          "agent",
          " %10s %11s %11s %11s".formatted("tool calls", "model calls", "tokens in", "tokens out"));
    }
    stats
        .byAgent()
        .forEach((id, agent) -> row(
            id,
            " %,10d %,11d %,11d %,11d"
                .formatted(
                    agent.toolCalls(), agent.modelCalls(), agent.tokensIn(), agent.tokensOut())));
  }

  private void heading(String name, String columns) {
    out.append('\n').append(style.dim("%-40s".formatted(name) + columns)).append('\n');
  }

  private void row(String name, String columns) {
    out.append(style.name("%-40s".formatted(Style.fit(name.isEmpty() ? "(none)" : name, 40))))
        .append(columns)
        .append('\n');
  }

  private void count(String name, long number) {
    line(name, "%,d".formatted(number), "");
  }

  private void milliseconds(String name, long number) {
    line(name, "%,d".formatted(number), " ms");
  }

  private void line(String name, String value, String unit) {
    out.append("%-24s %12s%s\n".formatted(PlainText.of(name), value, unit));
  }
}
