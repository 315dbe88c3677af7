package dev.agentreplay.adk;

import static dev.agentreplay.adk.ScriptedModel.call;
import static dev.agentreplay.adk.ScriptedModel.functionCall;
import static dev.agentreplay.adk.ScriptedModel.response;
import static dev.agentreplay.adk.ScriptedModel.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.adk.agents.LlmAgent;
import com.google.adk.agents.LoopAgent;
import com.google.adk.agents.ParallelAgent;
import com.google.adk.agents.RunConfig;
import com.google.adk.agents.SequentialAgent;
import com.google.adk.models.LlmResponse;
import com.google.adk.tools.AgentTool;
import com.google.adk.tools.BaseTool;
import com.google.genai.types.CodeExecutionResult;
import com.google.genai.types.Content;
import com.google.genai.types.ExecutableCode;
import com.google.genai.types.FinishReason;
import com.google.genai.types.GenerateContentConfig;
import com.google.genai.types.Part;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events that runs leave. */
class RecordingTest {

  @TempDir
  private Path sessions;

  private final Tools tools = new Tools();

  private static LlmAgent.Builder agent(ScriptedModel model, BaseTool... tools) {
    return LlmAgent.builder()
        .name("assistant")
        .description("Helps")
        .model(model)
        .tools((Object[]) tools);
  }

  private static JsonValue json(String text) {
    return JsonText.parse(text.replace('\'', '"'));
  }

  @Test
  void a_run_with_a_tool() {
    Recorded recorded = Runs.record(
        sessions,
        agent(
                ScriptedModel.byTurn(call("read", Map.of("path", "a.txt")), text("done")),
                tools.tool("read"))
            .instruction("Be brief.")
            .generateContentConfig(
                GenerateContentConfig.builder().temperature(0.5f).topK(3f).build())
            .build());

    assertThat(recorded.kinds())
        .containsExactly(
            "Settings",
            "ModelCall",
            "ModelResult",
            "ToolCall",
            "ToolResult",
            "ModelCall",
            "ModelResult",
            "SessionEnd");
    assertThat(recorded.start().task().text()).isEqualTo("go");
    assertThat(recorded.start().labels().user()).isEqualTo("alice");
    assertThat(recorded.start().labels().service()).isEqualTo("app");
    assertThat(recorded.start().labels().tags()).contains("agent:assistant");
    Settings settings = recorded.all(Settings.class).get(0);
    assertThat(settings.tools().get(0).json().without("schema"))
        .isEqualTo(json("{'name':'read','description':'Reads a file'}"));
    ModelCall call = recorded.modelCalls().get(0);
    assertThat(call.model()).isEqualTo("scripted");
    assertThat(call.prompt().value().at("/messages"))
        .isEqualTo(json("[{'role':'user','parts':[{'text':'go'}]}]"));
    assertThat(call.prompt().value().at("/system").asString()).startsWith("Be brief.");
    assertThat(call.prompt().value().at("/context/tools/0/function_declarations/0/name"))
        .isEqualTo(json("'read'"));
    assertThat(call.parameters().json()).isEqualTo(json("{'temperature':0.5,'top_k':3.0}"));
    ModelResult result = recorded.modelResults().get(0);
    assertThat(result.answer().value())
        .isEqualTo(
            json(
                "{'role':'model','parts':[{'function_call':{'name':'read','args':{'path':'a.txt'}}}]}"));
    assertThat(result.finish().reason()).isEqualTo("STOP");
    assertThat(result.tokens().input()).isEqualTo(11);
    assertThat(result.tokens().output()).isEqualTo(7);
    assertThat(result.meta().extra().get("token_details"))
        .isEqualTo(json("{'prompt_token_count':11,'candidates_token_count':7,"
            + "'thoughts_token_count':3,'total_token_count':21}"));
    assertThat(result.meta().extra().get("model")).isEqualTo(json("'scripted-1'"));
    assertThat(result.latencyMillis()).isNotNull();
    ToolCall toolCall = recorded.toolCalls().get(0);
    assertThat(toolCall.id()).startsWith("adk-");
    assertThat(toolCall.params().value()).isEqualTo(json("{'path':'a.txt'}"));
    ToolResult toolResult = recorded.toolResults().get(0);
    assertThat(toolResult.output().value())
        .isEqualTo(json("{'text':'content of a.txt','bytes':12,'ratio':0.5}"));
    assertThat(toolResult.latencyMillis()).isNotNull();
    // ids that the kit generates, which differ from run to run, are not in the prompt
    assertThat(recorded.modelCalls().get(1).prompt().value().at("/messages/1"))
        .isEqualTo(result.answer().value());
    assertThat(recorded.modelCalls().get(1).prompt().value().toString()).doesNotContain("adk-");
    SessionEnd end = recorded.end();
    assertThat(end.status().kind()).isEqualTo(Status.SUCCESS.kind());
    assertThat(end.summary()).isEqualTo("done");
  }

  @Test
  void parts_of_all_kinds() {
    Part code = Part.builder()
        .executableCode(ExecutableCode.builder().code("1+1").language("PYTHON").build())
        .build();
    Part output = Part.builder()
        .codeExecutionResult(
            CodeExecutionResult.builder().outcome("OUTCOME_OK").output("2").build())
        .build();
    Part thought =
        Part.builder().text("hm").thought(true).thoughtSignature(new byte[] {1}).build();
    Part image = Part.fromBytes(new byte[] {1, 2, -3}, "image/png");
    ScriptedModel model = ScriptedModel.inTurn(response(thought, code, output, image));
    try (AdkRecorder recorder = AdkRecorder.into(sessions)) {
      Runs.run(
          agent(model).build(),
          Content.fromParts(Part.fromText("see"), image),
          RunConfig.builder().build(),
          recorder.plugin());
    }

    Recorded recorded = Recorded.only(sessions).isValid();
    assertThat(recorded.modelCalls().get(0).prompt().value().at("/messages/0/parts/1"))
        .isEqualTo(json("{'inline_data':{'data':'AQL9','mime_type':'image/png'}}"));
    ModelResult result = recorded.modelResults().get(0);
    assertThat(result.answer().value().at("/parts"))
        .isEqualTo(json("[{'text':'hm','thought':true,'thought_signature':'AQ=='},"
            + "{'executable_code':{'code':'1+1','language':'PYTHON'}},"
            + "{'code_execution_result':{'outcome':'OUTCOME_OK','output':'2'}},"
            + "{'inline_data':{'data':'AQL9','mime_type':'image/png'}}]"));
    assertThat(AnswerForms.restored(result).content().orElseThrow().toJson())
        .isEqualTo(
            response(thought, code, output, image).content().orElseThrow().toJson());
  }

  @Test
  void a_stream_is_recorded_once_with_its_pieces() {
    Recorded recorded = Runs.record(
        sessions, agent(ScriptedModel.streaming("Hel", "lo ", "you")).build(), Runs.SSE);

    assertThat(recorded.modelResults()).hasSize(1);
    ModelResult result = recorded.modelResults().get(0);
    assertThat(result.answer().value().at("/parts/0/text").asString()).isEqualTo("Hello you");
    assertThat(result.timing().chunks().size()).isEqualTo(3);
    assertThat(result.timing().chunks().textIn(result.answer().value())).isEqualTo("Hello you");
    assertThat(result.finish().reason()).isEqualTo("STOP");
  }

  @Test
  void a_stream_that_fails_has_the_pieces_that_arrived() {
    LlmResponse part = text("Hel").toBuilder().partial(true).build();
    Recorded recorded = Runs.record(
        sessions,
        agent(new ScriptedModel(request -> Flowable.just(part)
                .concatWith(Flowable.error(new java.io.IOException("connection reset")))))
            .build(),
        Runs.SSE);

    ModelResult result = recorded.modelResults().get(0);
    assertThat(result.finish().partial()).isTrue();
    assertThat(result.finish().error().name()).isEqualTo("java.io.IOException");
    assertThat(result.timing().chunks().textIn(result.answer().value())).isEqualTo("Hel");
    assertThat(recorded.end().status().kind()).isEqualTo(Status.FAILED.kind());
    assertThat(recorded.end().errorMessage()).contains("connection reset");
  }

  @Test
  void a_stream_that_is_cancelled_leaves_what_arrived() {
    LlmResponse part = text("Hel").toBuilder().partial(true).finishReason(null).build();
    try (AdkRecorder recorder = AdkRecorder.into(sessions)) {
      com.google.adk.runner.InMemoryRunner runner = new com.google.adk.runner.InMemoryRunner(
          agent(new ScriptedModel(request -> Flowable.just(part).concatWith(Flowable.never())))
              .build(),
          "app",
          List.of(recorder.plugin()));
      String id =
          runner.sessionService().createSession("app", "alice").blockingGet().id();
      runner.runAsync("alice", id, Runs.user("go"), Runs.SSE).blockingFirst();
    }

    Recorded recorded = Recorded.only(sessions);
    assertThat(recorded.kinds()).containsExactly("ModelCall", "ModelResult");
    assertThat(recorded.modelResults().get(0).finish().partial()).isTrue();
    assertThat(
            recorded.modelResults().get(0).answer().value().at("/parts/0/text").asString())
        .isEqualTo("Hel");
  }

  @Test
  void an_error_of_a_model_that_is_returned() {
    LlmResponse blocked = LlmResponse.builder()
        .errorCode(new FinishReason("SAFETY"))
        .errorMessage("blocked")
        .build();
    Recorded recorded =
        Runs.record(sessions, agent(ScriptedModel.inTurn(blocked)).build());

    ModelResult result = recorded.modelResults().get(0);
    assertThat(result.finish().error().name()).isEqualTo("SAFETY");
    assertThat(AnswerForms.thrown(result)).isNull();
    assertThat(AnswerForms.restored(result).toJson()).isEqualTo(blocked.toJson());
  }

  @Test
  void tools_that_fail_with_their_own_exceptions() {
    for (Exception error :
        List.of(new java.io.IOException("lost"), new IllegalStateException("cannot"))) {
      Recorded recorded = Runs.record(
          sessions.resolve(error.getMessage()),
          agent(ScriptedModel.byTurn(call("fail", Map.of())), Tools.failing(error))
              .build());

      ToolResult result = recorded.toolResults().get(0);
      assertThat(result.outcome().succeeded()).isFalse();
      assertThat(result.outcome().error().json().toString())
          .contains(error.getClass().getName(), error.getMessage());
      assertThat(recorded.end().status().kind()).isEqualTo(Status.FAILED.kind());
    }
  }

  @Test
  void invalid_arguments_and_exceptions_of_functions_are_results_of_the_kit() {
    for (Map<String, Object> arguments :
        List.<Map<String, Object>>of(Map.of("path", "x"), Map.of("path", 7), Map.of())) {
      Recorded recorded = Runs.record(
          sessions.resolve(arguments.toString()),
          agent(ScriptedModel.byTurn(call("broken", arguments), text("done")), tools.tool("broken"))
              .build());

      assertThat(recorded.toolCalls().get(0).params().value()).isEqualTo(JsonValue.of(arguments));
      assertThat(recorded.toolResults().get(0).output().value())
          .isEqualTo(json("{'status':'error','message':'An internal error occurred.'}"));
    }
  }

  @Test
  void a_failure_from_which_a_callback_recovers_is_recorded_as_it_was() {
    Recorded recorded = Runs.record(
        sessions,
        agent(
                ScriptedModel.byTurn(call("fail", Map.of()), text("done")),
                Tools.failing(new IllegalStateException("cannot")))
            .onToolErrorCallback((invocation, tool, arguments, context, error) ->
                Maybe.just(Map.of("recovered", true)))
            .build());

    assertThat(recorded.toolResults()).hasSize(1);
    assertThat(recorded.toolResults().get(0).outcome().succeeded()).isFalse();
    assertThat(recorded.modelCalls().get(1).prompt().value().toString()).contains("recovered");
  }

  @Test
  void an_answer_of_a_callback_is_not_one_of_the_model() {
    ScriptedModel model = ScriptedModel.inTurn(text("never"));
    Recorded recorded = Runs.record(
        sessions,
        agent(model)
            .beforeModelCallback((context, request) -> Maybe.just(text("no")))
            .build());

    assertThat(model.requests).isEmpty();
    assertThat(recorded.kinds()).containsExactly("RuntimeEvent", "SessionEnd");
    RuntimeEvent event = recorded.all(RuntimeEvent.class).get(0);
    assertThat(event.type()).isEqualTo("before_model_callback");
    assertThat(event.payload().value().at("/parts/0/text").asString()).isEqualTo("no");
  }

  @Test
  void a_request_is_recorded_as_it_was_sent() {
    ScriptedModel model = ScriptedModel.inTurn(text("ok"));
    Recorded recorded = Runs.record(
        sessions,
        agent(model)
            .beforeModelCallback((context, request) -> {
              request.contents(List.of(Runs.user("changed")));
              return Maybe.empty();
            })
            .build());

    assertThat(model.requests.peek().contents().get(0).text()).isEqualTo("changed");
    assertThat(recorded.modelCalls().get(0).prompt().value().toString())
        .contains("changed")
        .doesNotContain("\"go\"");
  }

  @Test
  void parallel_calls_with_the_same_id_and_without_one() {
    Recorded recorded = Runs.record(
        sessions,
        agent(
                ScriptedModel.byTurn(
                    response(
                        functionCall("same", "read", Map.of("path", "a")),
                        functionCall("same", "read", Map.of("path", "b")),
                        functionCall(null, "read", Map.of("path", "c")),
                        functionCall("", "read", Map.of("path", "d"))),
                    text("done")),
                tools.tool("read"))
            .build());

    assertThat(recorded.toolCalls()).hasSize(4);
    assertThat(recorded.toolResults()).hasSize(4);
    for (ToolCall call : recorded.toolCalls()) {
      String path = call.params().value().at("/path").asString();
      assertThat(recorded.toolResults())
          .filteredOn(result -> result.id().equals(call.id()))
          .extracting(result -> result.output().value().at("/text").asString())
          .contains("content of " + path);
    }
  }

  @Test
  void texts_that_were_cut_in_a_character_are_kept() {
    Recorded recorded = Runs.record(
        sessions,
        agent(
                ScriptedModel.byTurn(call("cut", Map.of("path", "x\ud83d")), text("cut \ud83d")),
                tools.tool("cut"))
            .build());

    ToolResult result = recorded.toolResults().get(0);
    assertThat(ToolForms.output(result)).containsEntry("text", "x\ud83d\ud83d");
    assertThat(
            AnswerForms.restored(recorded.modelResults().get(1)).content().get().text())
        .isEqualTo("cut \ud83d");
  }

  @Test
  void effects_of_tools() {
    Recorded recorded = Runs.record(
        sessions,
        agent(ScriptedModel.byTurn(call("count", Map.of()), text("done")), tools.tool("count"))
            .build());

    assertThat(recorded.toolResults().get(0).meta().extra().get("actions"))
        .isEqualTo(json("{'state_delta':{'count':1}}"));
  }

  @Test
  void a_long_running_tool_is_pending() {
    Recorded recorded = Runs.record(
        sessions,
        agent(
                ScriptedModel.byTurn(call("ask", Map.of("question", "ok?")), text("later")),
                tools.longRunning("ask"))
            .build());

    assertThat(recorded.toolCalls()).hasSize(1);
    assertThat(ToolForms.output(recorded.toolResults().get(0))).isEmpty();
    assertThat(recorded.all(Settings.class).get(0).tools().get(0).json().get("long_running"))
        .isEqualTo(JsonValue.of(true));
  }

  @Test
  void agents_to_which_control_is_transferred_have_lanes() {
    LlmAgent helper = LlmAgent.builder()
        .name("helper")
        .description("Helps more")
        .model(ScriptedModel.inTurn(text("helped")))
        .build();
    Recorded recorded = Runs.record(
        sessions,
        agent(ScriptedModel.inTurn(call("transfer_to_agent", Map.of("agent_name", "helper"))))
            .subAgents(helper)
            .build());

    String transfer = recorded.toolCalls().get(0).id();
    assertThat(recorded.toolResults().get(0).meta().extra().get("actions"))
        .isEqualTo(json("{'transfer_to_agent':'helper'}"));
    assertThat(recorded.lanes()).contains("ModelCall null null", "ModelCall helper " + transfer);
    assertThat(recorded.end().summary()).isEqualTo("helped");
  }

  @Test
  void agents_that_are_tools_have_lanes_below_their_calls() {
    LlmAgent helper = LlmAgent.builder()
        .name("helper")
        .description("Helps")
        .model(new ScriptedModel(
            request -> Flowable.just(text("re " + request.contents().get(0).text()))))
        .build();
    Recorded recorded = Runs.record(
        sessions,
        agent(
                ScriptedModel.byTurn(
                    response(
                        functionCall("a", "helper", Map.of("request", "one")),
                        functionCall("b", "helper", Map.of("request", "two"))),
                    text("done")),
                AgentTool.create(helper, false, true))
            .build());

    assertThat(recorded.lanes())
        .contains("ModelCall helper a", "ModelResult helper a", "ModelCall helper b");
    assertThat(recorded.toolResultsById().get("a").output().value())
        .isEqualTo(JsonObject.of("result", "re one"));
    assertThat(recorded.kinds()).filteredOn("SessionEnd"::equals).hasSize(1);
  }

  @Test
  void workflow_agents_give_each_agent_a_lane() {
    LlmAgent first =
        LlmAgent.builder().name("first").model(ScriptedModel.inTurn(text("1"))).build();
    LlmAgent second =
        LlmAgent.builder().name("second").model(ScriptedModel.inTurn(text("2"))).build();
    LlmAgent third = LlmAgent.builder()
        .name("third")
        .model(ScriptedModel.inTurn(text("3"), call("leave", Map.of())))
        .tools(tools.tool("leave"))
        .build();
    Recorded recorded = Runs.record(
        sessions,
        SequentialAgent.builder()
            .name("all")
            .subAgents(
                ParallelAgent.builder().name("both").subAgents(first, second).build(),
                LoopAgent.builder()
                    .name("loop")
                    .subAgents(third)
                    .maxIterations(5)
                    .build())
            .build());

    assertThat(recorded.lanes())
        .contains("ModelCall first null", "ModelResult second null", "ToolCall third null");
    assertThat(recorded.modelCalls()).hasSize(4);
    assertThat(recorded.modelResults()).hasSize(4);
    assertThat(recorded.toolResults().get(0).meta().extra().get("actions"))
        .isEqualTo(json("{'escalate':true}"));
  }
}
