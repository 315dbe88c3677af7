package dev.agentreplay.cli.text;

import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.ImportedSession;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.model.text.PlainText;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The note that a command reads a trace of a different tool, with the faults of the trace. */
public final class TraceNote {

  private static final int MAX_FAULTS = 10;

  private TraceNote() {}

  /** The lines of the note. */
  public static List<String> of(ImportReport report) {
    ImportedSession session = report.sessions().get(0);
    List<String> lines = new ArrayList<>();
    lines.add(Terminal.line("%s: imported %s from %s; what is verified is this copy"
        .formatted(
            report.source(),
            PlainText.count(session.counts().events(), "event"),
            Objects.requireNonNull(report.format()).title())));
    List<SourceFault> faults =
        Stream.concat(report.faults().stream(), session.faults().stream()).toList();
    faults.stream()
        .limit(MAX_FAULTS)
        .map(fault -> Terminal.line("warning: %s, %s: %s: %s"
            .formatted(report.source(), fault.place(), fault.kind().id(), fault.message())))
        .forEach(lines::add);
    long more = report.faultCount() - Math.min(faults.size(), MAX_FAULTS);
    if (more > 0) {
      lines.add(Terminal.line("warning: %s: %s; replay import lists them"
          .formatted(report.source(), PlainText.count(more, "more fault"))));
    }
    return lines;
  }
}
