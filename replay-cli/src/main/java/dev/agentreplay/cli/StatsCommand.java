package dev.agentreplay.cli;

import dev.agentreplay.cli.input.FormatOption;
import dev.agentreplay.cli.input.ReadableSessions;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.engine.report.StatsJson;
import dev.agentreplay.engine.view.SessionStats;
import dev.agentreplay.engine.view.StatsAccumulator;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.UnknownEvent;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code replay stats}. */
@Command(
    name = "stats",
    header = "Print counts and latencies of a session, by tool.",
    exitCodeList = {"0:Done.", "2:Wrong usage.", "3:Unreadable input."},
    footer = {"  replay stats sessions/fix-auth", "  replay stats --format json sessions/fix-auth"})
final class StatsCommand extends TerminalCommand {

  @Mixin
  ReadableSessions input = new ReadableSessions();

  @Parameters(
      paramLabel = "SESSION",
      description = "Session directory, log, packed session, or id.")
  String session = "";

  @Mixin
  FormatOption format = new FormatOption();

  StatsCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    StatsAccumulator fold = new StatsAccumulator();
    long events = 0;
    long known = 0;
    try (OpenSession open = input.open(session);
        ReplayReader reader = open.session().reader()) {
      Session located = open.session();
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        input.check(located, reader, line);
        fold.add(line.event());
        events++;
        known += line.event() instanceof UnknownEvent ? 0 : 1;
      }
      input.requireEvents(located, events, known);
    }
    if (format.isJson()) {
      print(StatsJson.render(fold.toStats()));
    } else {
      print(text(fold.toStats()));
    }
    return ExitCode.OK;
  }

  private String text(SessionStats stats) {
    Style style = terminal.style();
    StringBuilder out = new StringBuilder();
    out.append("%-22s %,12d\n".formatted("events", stats.events()));
    out.append("%-22s %,12d\n".formatted("tool calls", stats.toolCalls()));
    out.append("%-22s %,12d\n".formatted("tool results", stats.toolResults()));
    out.append("%-22s %,12d ms\n".formatted("total latency", stats.totalLatencyMillis()));
    out.append("%-22s %12.3f\n".formatted("average step utility", stats.averageStepUtility()));
    if (!stats.byTool().isEmpty()) {
      String heading =
          "%-40s %9s %9s %9s %14s".formatted("tool", "calls", "answered", "failed", "latency");
      out.append('\n').append(style.dim(heading)).append('\n');
    }
    for (Map.Entry<String, SessionStats.ToolStats> entry : stats.byTool().entrySet()) {
      SessionStats.ToolStats t = entry.getValue();
      out.append(style.name("%-40s".formatted(Style.fit(entry.getKey(), 40))))
          .append(" %,9d %,9d %,9d %,11d ms\n"
              .formatted(t.calls(), t.answered(), t.failed(), t.totalLatencyMillis()));
    }
    agents(stats, style, out);
    return out.toString();
  }

  private static void agents(SessionStats stats, Style style, StringBuilder out) {
    if (stats.byAgent().isEmpty()) {
      return;
    }
    String heading = "%-40s %10s %11s %10s %11s"
        .formatted("agent", "tool calls", "model calls", "tokens in", "tokens out");
    out.append('\n').append(style.dim(heading)).append('\n');
    stats.byAgent().forEach((id, agent) -> out.append(
            style.name("%-40s".formatted(Style.fit(id.isEmpty() ? "(none)" : id, 40))))
        .append(" %,10d %,11d %,10d %,11d\n"
            .formatted(
                agent.toolCalls(), agent.modelCalls(), agent.tokensIn(), agent.tokensOut())));
  }
}
