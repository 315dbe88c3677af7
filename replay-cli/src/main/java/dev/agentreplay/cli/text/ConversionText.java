package dev.agentreplay.cli.text;

import dev.agentreplay.canonical.dialect.ConversionLedger.Action;
import dev.agentreplay.canonical.dialect.ConversionLedger.Entry;
import dev.agentreplay.convert.ConversionReport;

/** The text report of a conversion. */
public final class ConversionText {

  private final Style style;

  public ConversionText(Style style) {
    this.style = style;
  }

  public String render(String in, ConversionReport report) {
    StringBuilder out = new StringBuilder();
    out.append(style.bold(Style.plain(in)))
        .append(": %s to %s, %,d events read, %,d %s\n"
            .formatted(
                report.from(),
                report.to().id(),
                report.linesRead(),
                report.linesWritten(),
                report.out() == null ? "not written" : "written"));
    report.problems().forEach(problem -> out.append("  ")
        .append(style.bad("problem    "))
        .append(' ')
        .append(Style.plain(problem))
        .append('\n'));
    report.ledger().entries().forEach(entry -> out.append(line(entry)).append('\n'));
    if (report.out() == null) {
      String why = report.problems().isEmpty()
          ? "the result would lack required members"
          : "the source has problems";
      out.append("  not written: ").append(why).append("; --force writes it anyway\n");
    } else {
      report.files().forEach(file -> out.append("  wrote ")
          .append(Style.plain(file.toString()))
          .append('\n'));
    }
    return out.toString();
  }

  private String line(Entry entry) {
    String action = "%-11s".formatted(entry.action().id());
    String event = entry.event() == null ? "every event" : entry.event();
    String subject = entry.field() == null ? event : event + "." + entry.field();
    return "  %s %,8d  %s%s%s"
        .formatted(
            paint(entry.action(), action),
            entry.count(),
            Style.plain(subject),
            entry.to() == null ? "" : " -> " + Style.plain(entry.to()),
            entry.note() == null ? "" : style.dim("  (" + Style.plain(entry.note()) + ")"));
  }

  private String paint(Action action, String text) {
    return switch (action) {
      case MISSING, INVALID -> style.bad(text);
      case DROPPED, INVENTED, ROUNDED -> style.warn(text);
      default -> style.dim(text);
    };
  }
}
