package dev.agentreplay.convert.trace.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.ExportOptions;
import dev.agentreplay.convert.trace.ImportOptions;
import dev.agentreplay.convert.trace.TraceExporter;
import dev.agentreplay.convert.trace.TraceImporter;
import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Checkpoint;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.TestSessions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A session that is exported and imported again is the same, as far as the format has its events.
 */
class RoundTripTest {

  @TempDir
  Path directory;

  private Session exportAndImport(Session session, TraceFormat format) throws IOException {
    Path out = directory.resolve(format.id() + ".json");
    TraceExporter.of(ExportOptions.defaults().withOverwrite(true)).export(session, out, format);
    assumeTrue(TraceImporter.detect(out) == format, "it cannot be imported yet");
    ImportReport report = TraceImporter.of(
            ImportOptions.defaults().withFrom(format).withOverwrite(true))
        .importFile(out, directory.resolve("again"));
    assertThat(report.faultCount()).isZero();
    return Session.open(report.out());
  }

  /** The lines of a session, without those that an importer or an exporter adds or leaves out. */
  private static List<JsonObject> lines(Session session) throws IOException {
    List<JsonObject> lines = new ArrayList<>();
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        ReplayEvent event = line.event();
        boolean isOfImport = event instanceof RuntimeEvent runtime
            && String.valueOf(runtime.type()).matches("(atif|otel|openinference)/.*");
        if (!isOfImport
            && !(event instanceof ReplayHeader)
            && !(event instanceof Checkpoint)
            && !(event instanceof UnknownEvent)) {
          lines.add(line.json().without(Names.IMPORTED));
        }
      }
    }
    return lines;
  }

  @Test
  void session_with_each_case_comes_back_from_atif() throws IOException {
    Session session = MadeSession.write(directory.resolve("session"));

    assertThat(lines(exportAndImport(session, TraceFormat.ATIF)))
        .containsExactlyInAnyOrderElementsOf(lines(session));
  }

  @ParameterizedTest
  @Tag("slow")
  @EnumSource(
      value = TraceFormat.class,
      names = {"ATIF", "OTEL", "OPENINFERENCE"})
  void recorded_sessions_come_back(TraceFormat format) throws IOException {
    List<Path> sessions = TestSessions.directories(TestSessions.corpus().resolve("tau-bench"));
    for (Path path : sessions) {
      Session session = Session.open(path);
      if (!conduct(session).isEmpty()) {
        assertThat(lines(exportAndImport(session, format)))
            .as("%s", path)
            .containsExactlyInAnyOrderElementsOf(lines(session));
      }
    }
  }

  @Test
  void imported_session_comes_back_from_atif() throws IOException {
    Path trace = TestSessions.bundled("traces/claude-code/sample_session.jsonl");
    Path imported = directory.resolve("imported");
    TraceImporter.of(ImportOptions.defaults()).importFile(trace, imported);
    Session session = Session.open(imported);

    assertThat(lines(exportAndImport(session, TraceFormat.ATIF)))
        .containsExactlyInAnyOrderElementsOf(lines(session));
  }

  /** A value, of which a string that holds JSON is the same as that JSON, as in attributes. */
  private static JsonValue parsed(JsonValue value) {
    return value instanceof JsonString text ? JsonText.parseOrString(text.value()) : value;
  }

  /** The calls and results of tools, and the usage of models. */
  private static List<JsonValue> conduct(Session session) throws IOException {
    List<JsonValue> conduct = new ArrayList<>();
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        ReplayEvent event = line.event();
        if (event instanceof ToolCall call) {
          conduct.add(JsonArray.of("call", call.tool(), call.params().value()));
        } else if (event instanceof ToolResult result) {
          JsonValue output = result.output().value();
          if (output != null && output != JsonNull.NULL) { // a span ends, if only without a result
            conduct.add(JsonArray.of("result", parsed(output)));
          }
        } else if (event instanceof ModelResult result) {
          conduct.add(
              JsonArray.of("answer", result.tokens().input(), result.tokens().output()));
        }
      }
    }
    return conduct;
  }

  @ParameterizedTest
  @Tag("slow")
  @EnumSource(
      value = TraceFormat.class,
      names = {"ATIF", "OTEL"})
  void calls_results_and_tokens_come_back(TraceFormat format) throws IOException {
    for (Path path : TestSessions.corpusSessions()) {
      Session session = Session.open(path);
      List<JsonValue> conduct = conduct(session);
      if (!conduct.isEmpty()) { // or else there is no turn, and nothing is recognized
        assertThat(conduct(exportAndImport(session, format)))
            .as("%s", path)
            .containsExactlyInAnyOrderElementsOf(conduct);
      }
    }
  }
}
