package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.ImportedSession;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.convert.trace.report.TraceLedger.Entry;
import dev.agentreplay.io.recording.PendingCall;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Traces that importers have read wrongly before. */
class RegressionsTest {

  @TempDir
  private Path directory;

  private ImportedEvents imported(String name, String... lines) throws IOException {
    return ImportedEvents.of(directory, name, lines);
  }

  private static ImportedSession session(ImportedEvents events) {
    return events.report().sessions().get(0);
  }

  private Path exported(TraceFormat to, @Nullable Object... outputs) throws IOException {
    Path recorded = directory.resolve("recorded");
    try (SessionRecorder recorder = SessionRecorder.start(recorded, "s1")) {
      recorder.modelCall("gpt-5", "Where is the bug?").answer("In auth.rs");
      for (Object output : outputs) {
        PendingCall call = recorder.call("read", JsonObject.of("path", "auth.rs"));
        call.result(output);
      }
      recorder.end(Status.SUCCESS);
    }
    Path out = directory.resolve(to.id() + ".json");
    TraceExporter.of(ExportOptions.defaults()).export(Session.open(recorded), out, to);
    return out;
  }

  @ParameterizedTest
  @EnumSource(
      value = TraceFormat.class,
      names = {"ATIF", "OTEL", "OPENINFERENCE"})
  void outputsThatAreNoTextComeBackFromAnExport(TraceFormat format) throws IOException {
    Path export = exported(format, 42, true, "42", "[1]", List.of(1, "2"), 1.5);

    ImportedEvents events = ImportedEvents.of(export, directory.resolve("back"));

    assertThat(session(events).faults()).isEmpty();
    assertThat(events.of(ToolResult.class))
        .extracting(result -> result.output().value())
        .containsExactlyInAnyOrder(
            JsonValue.of(42),
            JsonValue.of(true),
            JsonValue.of("42"),
            JsonValue.of("[1]"),
            JsonValue.of(List.of(1, "2")),
            JsonValue.of(1.5));
  }

  @Test
  void exportWithoutOneOfItsStepsIsImported_andItsTotalsAreComputed() throws IOException {
    Path export = exported(TraceFormat.ATIF, "one", "two");
    JsonObject document =
        dev.agentreplay.canonical.JsonText.parse(Files.readAllBytes(export)).asObject();
    List<JsonValue> steps = document.get("steps").asArray().values();
    Files.writeString(
        export, document.with("steps", steps.subList(0, steps.size() - 1)).toString());

    ImportedEvents events = ImportedEvents.of(export, directory.resolve("back"));

    long calls = session(events).counts().toolCalls();
    assertThat(events.of(SessionEnd.class).get(0).totalToolCalls()).isEqualTo(calls);
    assertThat(session(events).faults())
        .extracting(SourceFault::kind)
        .contains(SourceFault.Kind.CONTRADICTION);
  }

  @Test
  void changedAnswerOfAnExportIsReported_andKept() throws IOException {
    Path export = exported(TraceFormat.ATIF, "one");
    String text = Files.readString(export);
    assertThat(text).contains("\"message\": \"In auth.rs\"");
    Files.writeString(
        export, text.replace("\"message\": \"In auth.rs\"", "\"message\": \"In main.rs\""));

    ImportedEvents events = ImportedEvents.of(export, directory.resolve("back"));

    assertThat(events.all().toString()).contains("In main.rs");
    assertThat(session(events).faultCount()).isPositive();
  }

  @Test
  void shortMessageOfACodexUserIsNotThatOfAnotherItem() throws IOException {
    String context =
        "{\"timestamp\":\"2026-01-01T00:00:00Z\",\"type\":\"response_item\",\"payload\":"
            + "{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":"
            + "\"<environment_context>/my/repository</environment_context>\"}]}}";
    String event = "{\"timestamp\":\"2026-01-01T00:00:01Z\",\"type\":\"event_msg\",\"payload\":"
        + "{\"type\":\"user_message\",\"message\":\"y\"}}";
    String item = context.replaceAll("<environment.*context>", "y");

    for (List<String> order : List.of(
        List.of(context, event, item),
        List.of(event, context, item),
        List.of(context, item, event))) {
      ImportedEvents events =
          imported("codex-" + order.hashCode() + ".jsonl", order.toArray(String[]::new));
      assertThat(session(events).counts().messages()).as(order.toString()).isEqualTo(1);
    }
  }

  @Test
  void taskIsDerivedOnce() throws IOException {
    String message =
        "{\"timestamp\":\"2026-01-01T00:00:00Z\",\"type\":\"response_item\",\"payload\":"
            + "{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":"
            + "\"%s\"}]}}";

    ImportedEvents events =
        imported("codex.jsonl", message.formatted("One"), message.formatted("Two"));

    assertThat(session(events).ledger().entries())
        .filteredOn(entry -> "SessionStart/task".equals(entry.to()))
        .extracting(Entry::count)
        .containsExactly(1L);
  }

  @Test
  void answersOfAGeminiChatCountOnce_afterTheChatWasRewoundToItsBeginning() throws IOException {
    String user = "{\"id\":\"u1\",\"timestamp\":\"2026-01-01T00:00:00Z\",\"type\":\"user\","
        + "\"content\":\"Hello\"}";
    String answer = "{\"id\":\"g1\",\"timestamp\":\"2026-01-01T00:00:01Z\",\"type\":\"gemini\","
        + "\"content\":\"Hi\",\"model\":\"m\",\"tokens\":{\"input\":100,\"output\":5,\"total\":105}}";

    ImportedEvents events = imported(
        "gemini.jsonl",
        "{\"sessionId\":\"s1\",\"projectHash\":\"p\",\"startTime\":\"2026-01-01T00:00:00Z\","
            + "\"kind\":\"main\"}",
        user,
        answer,
        "{\"$rewindTo\":\"u1\"}",
        "{\"$set\":{\"messages\":[" + user + "," + answer.replace("Hi", "Changed") + "]}}");

    assertThat(session(events).counts().tokensIn()).isEqualTo(100);
    assertThat(session(events).counts().modelCalls()).isEqualTo(1);
    assertThat(events.all().toString()).contains("Changed");
  }

  @Test
  void yamlWhoseAliasesExpandToMuchTextIsRefused() throws IOException {
    StringBuilder yaml = new StringBuilder("recordings:\n- &a \"" + "x".repeat(20_000) + "\"\n");
    yaml.append("- *a\n".repeat(15_000));
    Path source = Files.writeString(directory.resolve("recordings.yaml"), yaml);

    TraceImporter importer = TraceImporter.of(ImportOptions.defaults().withFrom(TraceFormat.ADK));
    assertThatThrownBy(() -> importer.importFile(source, directory.resolve("out")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("aliases");
  }

  @Test
  void exportThatStatesAnotherIdKeepsThatOfItsSession() throws IOException {
    Path export = exported(TraceFormat.ATIF, "one");
    String text = Files.readString(export);
    Files.writeString(
        export, text.replaceFirst("\"session_id\": \"s1\"", "\"session_id\": \"s2\""));

    ImportReport report = TraceChecks.importFile(export, directory.resolve("back"));

    assertThat(Session.open(report.out()).id())
        .isEqualTo(report.sessions().get(0).id());
  }
}
