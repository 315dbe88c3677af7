package dev.agentreplay.cli.text;

import dev.agentreplay.convert.trace.report.ExportCounts;
import dev.agentreplay.convert.trace.report.ExportReport;
import dev.agentreplay.convert.trace.report.TraceLedger.Action;
import dev.agentreplay.convert.trace.report.TraceLedger.Entry;

/** The text report of an export. */
public final class ExportText {

  private final Style style;

  public ExportText(Style style) {
    this.style = style;
  }

  public String render(String in, ExportReport report) {
    ExportCounts counts = report.counts();
    StringBuilder out = new StringBuilder();
    out.append(style.bold(Style.plain(in)))
        .append(": to %s, %,d events read, %,d %s written\n"
            .formatted(report.to().id(), counts.events(), counts.written(), items(report)))
        .append("  %,d model calls, %,d tool calls, %,d results, %,d sub-agents\n"
            .formatted(
                counts.modelCalls(), counts.toolCalls(), counts.toolResults(), counts.agents()));
    report.ledger().entries().forEach(entry -> out.append(line(entry)).append('\n'));
    return out.append("  wrote ")
        .append(Style.plain(report.out().toString()))
        .append('\n')
        .toString();
  }

  private static String items(ExportReport report) {
    return switch (report.to()) {
      case ATIF -> "steps";
      case OTEL, OPENINFERENCE -> "spans";
      default -> "events";
    };
  }

  private String line(Entry entry) {
    String action = "%-11s".formatted(entry.action().id());
    return "  %s %,8d  %s%s%s"
        .formatted(
            paint(entry.action(), action),
            entry.count(),
            Style.plain(entry.record() + entry.member()),
            entry.to() == null ? "" : " -> " + Style.plain(entry.to()),
            entry.note() == null ? "" : style.dim("  (" + Style.plain(entry.note()) + ")"));
  }

  private String paint(Action action, String text) {
    return switch (action) {
      case DROPPED, GENERATED -> style.warn(text);
      default -> style.dim(text);
    };
  }
}
