package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.NothingRecognizedException;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolDescription;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The events that the importer creates from messages of the Model Context Protocol. */
class McpRecordsTest {

  private static final String CALL =
      "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"tools/call\",\"params\":{\"name\":\"read\"}}";
  private static final String RESULT =
      "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[],\"n\":\"%s\"}}";

  @TempDir
  private Path directory;

  private ImportedEvents imported(String... lines) throws IOException {
    return ImportedEvents.of(directory, "log.jsonl", lines);
  }

  private ImportedEvents fixture(String name) throws IOException {
    return ImportedEvents.of(ForeignFiles.path("mcp/" + name), directory.resolve("out"));
  }

  @Test
  void concurrentCallsArePairedByTheirIds() throws IOException {
    ImportedEvents events = imported(
        CALL.formatted("1"),
        CALL.formatted("\"1\""),
        RESULT.formatted("\"1\"", "text"),
        RESULT.formatted("1", "number"));

    assertThat(events.of(ToolCall.class)).extracting(ToolCall::id).containsExactly("1", "1#2");
    assertThat(events.of(ToolResult.class))
        .extracting(ToolResult::id, result -> result.output().value().asObject().get("n"))
        .containsExactly(tuple("1#2", JsonValue.of("text")), tuple("1", JsonValue.of("number")));
  }

  @Test
  void sameIdOfBothSidesIsTwoRequests() throws IOException {
    ImportedEvents events = fixture("made_envelopes.jsonl");

    assertThat(events.conduct())
        .containsExactly("ToolCall", "ModelCall", "ModelResult", "ToolResult");
    assertThat(events.of(ToolResult.class).get(0).output().value().toString()).contains("of s-1");
  }

  @Test
  void linesThatNameAnotherSessionAreOfThatSession() throws IOException {
    ImportReport report = TraceChecks.importFile(
        ForeignFiles.path("mcp/made_envelopes.jsonl"), directory.resolve("out"));

    assertThat(report.sessions())
        .extracting(session -> session.name())
        .containsExactly("s-1", "s-2");
    List<ToolResult> second = new ArrayList<>();
    ImportedEvents.read(TraceChecks.sessions(report).get(1)).forEach(event -> {
      if (event instanceof ToolResult result) {
        second.add(result);
      }
    });
    assertThat(second).extracting(ToolResult::latencyMillis).containsExactly(180L);
  }

  @Test
  void versionsAndToolsAreSettings_alsoOfSeveralPages() throws IOException {
    List<Settings> settings = fixture("made_bare.jsonl").of(Settings.class);

    assertThat(settings.get(0).get(Settings.VERSIONS).value())
        .isEqualTo(JsonObject.of("example-client", "1.2.0", "files", "3.0.1", "mcp", "2025-06-18"));
    List<ToolDescription> tools = settings.get(settings.size() - 1).tools();
    assertThat(tools).extracting(ToolDescription::name).containsExactly("read", "write");
    assertThat(tools.get(0).readOnly()).isTrue();
    assertThat(tools.get(0).destructive()).isFalse();
    assertThat(tools.get(0).schema()).isNotNull();
  }

  @Test
  void discoveryStatesTheServer() throws IOException {
    assertThat(fixture("reference_host_2026-07-28.jsonl")
            .of(Settings.class)
            .get(0)
            .get(Settings.VERSIONS)
            .value())
        .isEqualTo(JsonObject.of("mcp-everything-server", "0.4.0", "rmcp", "3.1.2"));
  }

  @Test
  void outcomesAreThoseOfTheResults() throws IOException {
    assertThat(fixture("made_bare.jsonl").of(ToolResult.class))
        .extracting(
            ToolResult::id,
            result -> result.outcome().ok(),
            result -> result.outcome().error() == null
                ? null
                : result.outcome().error().name())
        .containsExactly(
            tuple("4", true, null),
            tuple("3", true, null),
            tuple("3", false, null),
            tuple("3#3", false, "JsonRpcError"),
            tuple("5", false, Failure.CANCELLED));
  }

  @Test
  void resultThatAsksForInputStatesNoOutcome() throws IOException {
    assertThat(fixture("reference_host_2026-07-28.jsonl").of(ToolResult.class))
        .extracting(result -> result.outcome().ok())
        .containsExactly(true, true, null, true);
  }

  @Test
  void cancelledCallIsOver_andItsLateResultIsKept() throws IOException {
    ImportedEvents events = fixture("cancellation_race.jsonl");

    assertThat(events.of(ToolResult.class))
        .singleElement()
        .satisfies(result -> assertThat(result.outcome().isKnown()).isFalse());
    assertThat(events.of(RuntimeEvent.class))
        .extracting(RuntimeEvent::type)
        .contains("mcp/notifications/progress", "mcp/result_without_call");
  }

  @Test
  void samplingIsACallOfTheModelOfTheClient() throws IOException {
    ImportedEvents events = fixture("made_bare.jsonl");

    ModelCall call = events.of(ModelCall.class).get(0);
    JsonObject prompt = call.prompt().value().asObject();
    assertThat(prompt.get("system")).isEqualTo(JsonValue.of("Be brief."));
    assertThat(prompt.get("messages").asArray().size()).isEqualTo(1);
    assertThat(call.parameters().json())
        .isEqualTo(JsonObject.of("max_tokens", 100, "temperature", 0.5));
    ModelResult result = events.of(ModelResult.class).get(0);
    assertThat(result.finish().reason()).isEqualTo("endTurn");
    assertThat(result.answer().value().asObject().get("model")).isEqualTo(JsonValue.of("small-1"));
    assertThat(events.of(ModelResult.class).get(1).finish().error().message())
        .isEqualTo("User rejected sampling request");
  }

  @Test
  void toolsOfSamplingAreTheContextOfThePrompt() throws IOException {
    ImportedEvents events =
        imported("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"sampling/createMessage\",\"params\":{"
            + "\"messages\":[],\"tools\":[{\"name\":\"look\"}],\"stopSequences\":[\"x\"]}}");

    ModelCall call = events.of(ModelCall.class).get(0);
    assertThat(call.prompt().value().asObject().get("context").toString())
        .isEqualTo("{\"tools\":[{\"name\":\"look\"}]}");
    assertThat(call.parameters().json().toString()).isEqualTo("{\"stop\":[\"x\"]}");
  }

  @Test
  void entriesOfADocumentAreItsLines() throws IOException {
    ImportedEvents events = fixture("made_document.json");

    assertThat(events.report().sessions().get(0).counts().records()).isEqualTo(5);
    ToolResult result = events.of(ToolResult.class).get(0);
    assertThat(result.latencyMillis()).isEqualTo(125);
    assertThat(result.meta().extra().toString()).contains("\"at\":\"/entries/3\"");
  }

  @Test
  void messagesMayBeTextsBatchesAndPairs() throws IOException {
    ImportedEvents events = fixture("made_texts.jsonl");

    assertThat(events.of(ToolCall.class))
        .extracting(ToolCall::id)
        .containsExactly("a", "b", "c", "d", "pair-1");
    assertThat(events.of(ToolResult.class))
        .extracting(ToolResult::id)
        .containsExactly("a", "c", "b", "pair-1");
    assertThat(events.of(Settings.class)).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "client_to_server, server_to_client",
    "client->server, server->client",
    "c2s, s2c",
    "request, response",
    "out, in",
    "in, out",
    "→, ←",
    "A, B",
  })
  void directionIsReadOrLearned(String first, String second) throws IOException {
    String line = "{\"direction\":\"%s\",\"message\":%s}";
    ImportedEvents events = imported(
        line.formatted(first, CALL.formatted("1")),
        line.formatted(second, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"),
        line.formatted(first, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"),
        line.formatted(second, RESULT.formatted("1", "x")));

    assertThat(events.of(ToolResult.class)).hasSize(1);
    assertThat(events.of(RuntimeEvent.class))
        .extracting(RuntimeEvent::type)
        .containsExactly("mcp/ping", "mcp/ping/result");
  }

  @ParameterizedTest
  @CsvSource({
    "timestamp, '\"2026-02-01T10:00:01.500Z\"'",
    "ts, 1769940001.5",
    "time, 1769940001500",
    "t, 1769940001500000",
    "t, 1769940001500000000",
    "date, '\"2026-02-01 10:00:01.500\"'",
  })
  void timesAreReadInAllUnits(String name, String value) throws IOException {
    ImportedEvents events =
        imported("{\"" + name + "\":" + value + ",\"msg\":" + CALL.formatted("1") + "}");

    assertThat(events.of(ToolCall.class).get(0).meta().time().instant())
        .isEqualTo("2026-02-01T10:00:01.500Z");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e-999999999", "1e30", "-5", "17", "\"soon\"", "null", "{}"})
  void whatIsNoTimeIsKept(String value) throws IOException {
    ImportedEvents events = imported("{\"t\":" + value + ",\"msg\":" + CALL.formatted("1") + "}");

    assertThat(events.of(ToolCall.class)).hasSize(1);
    assertThat(events.of(ToolCall.class).get(0).meta().extra().toString()).contains("\"t\":");
  }

  @Test
  void timeSinceTheStartIsAddedToIt() throws IOException {
    assertThat(fixture("cassette.jsonl").of(ToolCall.class).get(0).meta().time().instant())
        .isEqualTo("2026-10-09T00:00:00.001Z");
  }

  @Test
  void linesOfTextAreKeptInParts() throws IOException {
    ImportedEvents events = fixture("made_desktop.log");

    assertThat(events.of(ToolCall.class).get(0).params().value())
        .isEqualTo(JsonObject.of("path", "{\"a\"}"));
    assertThat(events.of(ToolResult.class).get(0).latencyMillis()).isEqualTo(250);
    JsonObject first = events.of(RuntimeEvent.class).get(1).payload().value().asObject();
    assertThat(first.get("before").asString() + "{").isEqualTo(start(first));
    assertThat(first.get("after")).isEqualTo(JsonValue.of(" { metadata: undefined }"));
  }

  private static String start(JsonObject line) throws IOException {
    String text = Files.readAllLines(ForeignFiles.path("mcp/made_desktop.log")).get(1);
    return text.substring(0, line.get("before").asString().length() + 1);
  }

  @Test
  void logWithoutACallIsRefused() {
    assertThatThrownBy(() -> imported("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}"))
        .isInstanceOf(NothingRecognizedException.class);
  }

  @Test
  void unknownMethodsAreKept() throws IOException {
    ImportedEvents events =
        imported(CALL.formatted("1"), "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/dream\"}");

    assertThat(events.report().sessions().get(0).unknownRecords()).containsOnlyKeys("tools/dream");
    assertThat(events.of(RuntimeEvent.class).get(0).payload().value())
        .isEqualTo(JsonObject.of("id", 2, "jsonrpc", "2.0", "method", "tools/dream"));
  }
}
