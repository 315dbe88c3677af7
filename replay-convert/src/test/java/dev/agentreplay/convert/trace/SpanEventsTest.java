package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.NothingRecognizedException;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events that are made from spans. */
class SpanEventsTest {

  @TempDir
  private Path directory;

  private List<ReplayEvent> first(String file) throws IOException {
    return events(importText(Files.readString(ForeignFiles.path(file))));
  }

  private ImportReport importText(String text) throws IOException {
    Path source = Files.writeString(directory.resolve("source.json"), text);
    return TraceChecks.importFile(source, directory.resolve("out"));
  }

  private static List<ReplayEvent> events(ImportReport report) throws IOException {
    List<ReplayEvent> events = new ArrayList<>();
    try (ReplayReader reader = Session.open(TraceChecks.sessions(report).get(0)).reader()) {
      for (var line = reader.read(); line != null; line = reader.read()) {
        if (line.event() != null) {
          events.add(line.event());
        }
      }
    }
    return events;
  }

  private static <E extends ReplayEvent> List<E> of(Class<E> type, List<ReplayEvent> events) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private static String span(
      String id, String parent, String name, int start, int end, String more) {
    return """
        {"traceId":"t1","spanId":"%s","parentSpanId":"%s","name":"%s",
         "startTimeUnixNano":"%d000000000","endTimeUnixNano":"%d000000000",
         "attributes":{%s}}"""
        .formatted(id, parent, name, 1_700_000_000 + start, 1_700_000_000 + end, more);
  }

  @Test
  void subAgentHasLaneWithTheCallThatStartedIt() throws IOException {
    List<ReplayEvent> events = first("otel/file_exporter.jsonl");
    assertThat(of(ModelCall.class, events))
        .filteredOn(call -> call.meta().agent() != null)
        .singleElement()
        .satisfies(call -> {
          assertThat(call.meta().agent()).isEqualTo("researcher");
          assertThat(call.meta().parent()).isEqualTo("call_2");
        });
    assertThat(of(ToolCall.class, events)).allMatch(call -> call.meta().agent() == null);
  }

  @Test
  void conversationIsTheSession_withTaskAndEnvironment() throws IOException {
    SessionStart start =
        of(SessionStart.class, first("otel/file_exporter.jsonl")).get(0);
    assertThat(start.meta().sessionId()).isEqualTo("conversation-7");
    assertThat(start.task().text()).isEqualTo("How warm is it in Paris, and why?");
    assertThat(start.labels().environment()).isEqualTo("staging");
  }

  @Test
  void statedStatusOfTheRootIsTheEnd() throws IOException {
    assertThat(of(SessionEnd.class, first("otel/file_exporter.jsonl")))
        .singleElement()
        .matches(SessionEnd::succeeded);
  }

  @Test
  void statusThatIsNotSet_isNoEnd() throws IOException {
    assertThat(of(SessionEnd.class, first("otel/any_agent_agno.json"))).isEmpty();
  }

  @Test
  void exceptionOfToolIsItsFailure() throws IOException {
    ToolResult failed = of(ToolResult.class, first("otel/file_exporter.jsonl")).get(0);
    assertThat(failed.succeeded()).isFalse();
    assertThat(Objects.requireNonNull(failed.outcome().error()).name()).isEqualTo("TimeoutError");
    assertThat(failed.outcome().error().message()).isEqualTo("no answer within 500 ms");
  }

  @Test
  void errorOfRequestIsItsFailure() throws IOException {
    ImportReport report = importText(
        "[%s]"
            .formatted(
                span(
                    "1",
                    "",
                    "chat",
                    0,
                    1,
                    """
        "gen_ai.operation.name":"chat","error.type":"rate_limit","gen_ai.usage.input_tokens":1""")));
    ModelResult failed = of(ModelResult.class, events(report)).get(0);
    assertThat(failed.succeeded()).isFalse();
    assertThat(Objects.requireNonNull(failed.finish().error()).name()).isEqualTo("rate_limit");
  }

  @Test
  void toolsAndVersionsAreSettings() throws IOException {
    List<Settings> settings = of(Settings.class, first("otel/file_exporter.jsonl"));
    assertThat(settings).flatExtracting(Settings::tools).hasSize(2);
    assertThat(settings)
        .filteredOn(one -> one.get(Settings.VERSIONS) != null)
        .singleElement()
        .asString()
        .contains("2.1.0", "1.38.0");
  }

  @Test
  void spanAroundSeveralRequestsIsARecord_itsTokensAreNotCounted() throws IOException {
    List<ReplayEvent> events = first("otel/ai_sdk.json");
    assertThat(of(ModelResult.class, events))
        .extracting(result -> result.tokens().input())
        .containsExactly(30L, 40L);
    assertThat(of(RuntimeEvent.class, events))
        .filteredOn(event -> event.type().equals("otel/ai.streamText"))
        .hasSize(1);
  }

  @Test
  void requestWithoutContentIsMadeFromTheSpanAroundIt() throws IOException {
    ImportReport report = importText("[%s,%s]"
        .formatted(
            span(
                "1",
                "",
                "call_llm",
                0,
                3,
                """
            "gen_ai.operation.name":"call_llm","gen_ai.input.messages":"[{\\"role\\":\\"user\\"}]"
            """),
            span(
                "2",
                "1",
                "chat",
                1,
                2,
                """
            "gen_ai.operation.name":"chat","gen_ai.usage.input_tokens":7""")));
    List<ReplayEvent> events = events(report);
    assertThat(of(ModelCall.class, events)).extracting(ModelCall::id).containsExactly("1");
    assertThat(of(ModelResult.class, events).get(0).tokens().input()).isEqualTo(7L);
  }

  @Test
  void answerComesBeforeTheToolInItsSpan() throws IOException {
    ImportReport report = importText(
        "[%s,%s]"
            .formatted(
                span(
                    "1",
                    "",
                    "chat",
                    0,
                    5,
                    """
            "gen_ai.operation.name":"chat","gen_ai.usage.input_tokens":7"""),
                span(
                    "2",
                    "1",
                    "execute_tool f",
                    2,
                    3,
                    """
            "gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"f\"""")));
    assertThat(events(report))
        .filteredOn(event -> event instanceof ModelResult || event instanceof ToolCall)
        .hasExactlyElementsOfTypes(ModelResult.class, ToolCall.class);
  }

  @Test
  void callWithoutSpanIsMadeFromTheAnswer_itsResultFromTheNextPrompt() throws IOException {
    List<ReplayEvent> events = first("otel/events.json");
    assertThat(of(ToolCall.class, events)).singleElement().satisfies(call -> {
      assertThat(call.id()).isEqualTo("call_9");
      assertThat(call.params().value()).hasToString("{\"a\":6,\"b\":7}");
    });
    assertThat(of(ToolResult.class, events).get(0).output().value()).hasToString("\"42\"");
  }

  @Test
  void promptThatIsNotStated_isTheConversationSoFar() throws IOException {
    List<ModelCall> calls = of(ModelCall.class, first("otel/any_agent_agno.json"));
    assertThat(calls.get(0).promptDelta()).isNull();
    assertThat(calls.subList(1, 3)).allMatch(call -> call.promptDelta() != null);
  }

  @Test
  void toolWithoutId_isTheCallThatTheAnswerAsksFor() throws IOException {
    List<ReplayEvent> events = first("langfuse/observations_v2.jsonl");
    assertThat(of(ToolCall.class, events)).extracting(ToolCall::id).containsExactly("fc_1", "o4");
  }

  @Test
  void kindsOfTokensAreAddedUpInLangfuse() throws IOException {
    ModelResult result =
        of(ModelResult.class, first("langfuse/observations_v2.jsonl")).get(0);
    assertThat(result.tokens().input()).isEqualTo(60L);
  }

  @Test
  void traceIdWithMoreThan64BitsKeepsItsDigits() throws IOException {
    List<ReplayEvent> events = first("otel/any_agent_agno.json");
    assertThat(events.toString()).contains("39712373237291850001929057769826244787");
    assertThat(events.toString()).doesNotContain("3.97123732");
  }

  @Test
  void spansThatContainEachOther_areImported() throws IOException {
    ImportReport report = importText("[%s,%s]"
        .formatted(
            span("1", "2", "chat", 0, 5, "\"gen_ai.operation.name\":\"chat\""),
            span("2", "1", "chat", 2, 3, "\"gen_ai.operation.name\":\"chat\"")));
    assertThat(of(ModelCall.class, events(report))).hasSize(1);
  }

  @Test
  void repeatedSpanIsImportedOnce() throws IOException {
    String span = span("1", "", "chat", 0, 5, "\"gen_ai.operation.name\":\"chat\"");
    ImportReport report = importText("[%s,%s]".formatted(span, span));
    assertThat(of(ModelCall.class, events(report))).hasSize(1);
  }

  @Test
  void spansWithoutAgent_areNotRecognized() {
    String span = span("1", "", "GET /", 0, 5, "\"http.request.method\":\"GET\"");
    assertThatThrownBy(() -> importText("[" + span + "]"))
        .isInstanceOf(NothingRecognizedException.class);
  }

  @Test
  void unknownOperationIsCounted() throws IOException {
    ImportReport report = importText(Files.readString(ForeignFiles.path("otel/events.json")));
    assertThat(report.sessions().get(1).unknownRecords()).containsEntry("dream", 1L);
  }

  @Test
  void agentThatStatesItsAnswerOnly_isAnsweredAfterItsTools() throws IOException {
    assertThat(first("otel/agent_answers.json"))
        .filteredOn(event -> event.callId() != null)
        .hasExactlyElementsOfTypes(
            ModelCall.class, ToolCall.class, ToolResult.class, ModelResult.class);
  }

  @Test
  void argumentsAndOutputCanBeInEventsOfTheTool() throws IOException {
    List<ReplayEvent> events = first("otel/agent_answers.json");
    assertThat(of(ToolCall.class, events).get(0).params().value()).hasToString("{\"parcel\":7}");
    assertThat(of(ToolResult.class, events).get(0).output().value())
        .hasToString("[{\"text\":\"Lyon\"}]");
  }

  @Test
  void agentsNextToTheMainOne_haveLanes() throws IOException {
    String agent = "\"gen_ai.operation.name\":\"invoke_agent\",\"gen_ai.agent.name\":\"%s\"";
    String chat = "\"gen_ai.operation.name\":\"chat\"";
    ImportReport report = importText("[%s,%s,%s,%s,%s,%s]"
        .formatted(
            span("1", "", "a", 0, 2, agent.formatted("one")),
            span("2", "1", "chat", 1, 2, chat),
            span("3", "", "b", 3, 5, agent.formatted("two")),
            span("4", "3", "chat", 4, 5, chat),
            span("5", "", "c", 6, 8, agent.formatted("one")),
            span("6", "5", "chat", 7, 8, chat)));
    assertThat(of(ModelCall.class, events(report)))
        .extracting(call -> call.meta().agent())
        .containsExactly(null, "two", null);
  }

  @Test
  void documentOfSeveralLinesIsADocument() throws IOException {
    ImportReport report = importText(
        """
        {
          "spans": [
            %s
          ]
        }
        """
            .formatted(span("1", "", "chat", 0, 5, "\"gen_ai.operation.name\":\"chat\"")
                .replace("\n", "")));
    assertThat(report.faultCount()).isZero();
  }

  @Test
  void longLinesAreLines() throws IOException {
    String span = span("%s", "", "chat", 0, 5, "\"gen_ai.operation.name\":\"chat\",\"x\":\"%s\"")
        .replace("\n", "");
    String x = "x".repeat(100_000);
    ImportReport report = importText(span.formatted("1", x) + "\n" + span.formatted("2", x) + "\n");
    assertThat(report.faultCount()).isZero();
    assertThat(of(ModelCall.class, events(report))).hasSize(2);
  }

  @Test
  void agentThatOnlyWrapsAnother_isNoLane() throws IOException {
    List<ReplayEvent> events = first("langfuse/trace_ui.json");
    assertThat(events).allMatch(event -> event.meta().agent() == null);
    assertThat(of(ToolCall.class, events))
        .extracting(ToolCall::id)
        .containsExactly("call_Kud0j0DxWSmLzv9W5m6qVqXn");
  }

  @Test
  void callsAndResultsAreFoundInTheFormsOfTheProviders() throws IOException {
    List<String> answers = List.of(
        "{'role':'assistant','tool_calls':[{'id':'c','function':{'name':'f','arguments':'{}'}}]}",
        "{'role':'assistant','content':[{'type':'tool_use','id':'c','name':'f','input':{}}]}",
        "{'role':'assistant','parts':[{'type':'tool_call','id':'c','name':'f','arguments':{}}]}",
        "{'role':'model','parts':[{'functionCall':{'id':'c','name':'f','args':{}}}]}",
        "{'role':'assistant','content':[{'toolUse':{'toolUseId':'c','name':'f','input':{}}}]}",
        "{'type':'function_call','call_id':'c','id':'fc','name':'f','arguments':'{}'}");
    List<String> results = List.of(
        "{'role':'tool','tool_call_id':'c','content':'r'}",
        "{'role':'user','content':[{'type':'tool_result','tool_use_id':'c','content':'r'}]}",
        "{'role':'tool','parts':[{'type':'tool_call_response','id':'c','response':'r'}]}",
        "{'role':'user','parts':[{'functionResponse':{'id':'c','name':'f','response':'r'}}]}",
        "{'role':'user','content':[{'toolResult':{'toolUseId':'c','content':'r'}}]}",
        "{'type':'function_call_output','call_id':'c','output':'r'}");
    for (int i = 0; i < answers.size(); i++) {
      String chat = "'gen_ai.operation.name':'chat','gen_ai.%s.messages':[%s]";
      String first = span("1", "", "chat", 0, 1, chat.formatted("output", answers.get(i)));
      String second = span("2", "", "chat", 2, 3, chat.formatted("input", results.get(i)));
      Path source = Files.writeString(
          directory.resolve("form-" + i), ("[" + first + "," + second + "]").replace('\'', '"'));
      List<ReplayEvent> events =
          events(TraceChecks.importFile(source, directory.resolve("out-" + i)));
      assertThat(of(ToolCall.class, events))
          .as(answers.get(i))
          .singleElement()
          .matches(call -> call.id().equals("c") && call.tool().equals("f"));
      assertThat(of(ToolResult.class, events))
          .as(results.get(i))
          .singleElement()
          .matches(result -> String.valueOf(result.output().value()).equals("\"r\""));
    }
  }
}
