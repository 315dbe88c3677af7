package dev.agentreplay.convert.trace;

import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ReplayEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Imports a text that a test has written, and reads the events of its only session. */
final class ImportedEvents {

  private final List<ReplayEvent> events;
  private final ImportReport report;

  private ImportedEvents(List<ReplayEvent> events, ImportReport report) {
    this.events = events;
    this.report = report;
  }

  /** Imports lines, which are written to a file of this name. */
  static ImportedEvents of(Path directory, String name, String... lines) throws IOException {
    Path source = directory.resolve(name);
    Files.writeString(source, String.join("\n", lines) + "\n");
    return of(source, directory.resolve("out-" + name));
  }

  static ImportedEvents of(Path source, Path out) throws IOException {
    ImportReport report = TraceChecks.importFile(source, out);
    TraceChecks.requireValid(report);
    return new ImportedEvents(read(TraceChecks.sessions(report).get(0)), report);
  }

  /** The events of a session, with their prompts in full. */
  static List<ReplayEvent> read(Path session) throws IOException {
    List<ReplayEvent> events = new ArrayList<>();
    try (ReplayReader reader = Session.open(session).readerWithFullPrompts()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        events.add(line.event());
      }
    }
    return events;
  }

  ImportReport report() {
    return report;
  }

  List<ReplayEvent> all() {
    return events;
  }

  /** The events of a kind. */
  <E extends ReplayEvent> List<E> of(Class<E> kind) {
    return events.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** The names of the kinds in order, without the header, the start, settings and records. */
  List<String> conduct() {
    return events.stream()
        .filter(event ->
            event.callId() != null || event.kind() == dev.agentreplay.model.EventKind.FILE_STATE)
        .map(event -> event.kind().id()
            + (event.meta().agent() == null ? "" : " of " + event.meta().agent()))
        .toList();
  }
}
