package dev.agentreplay.langchain4j;

import static dev.agentreplay.langchain4j.Instruments.assertIdentical;
import static dev.agentreplay.langchain4j.Instruments.mock;
import static dev.agentreplay.langchain4j.Instruments.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.replay.ActiveReplay;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.langchain4j.Instruments.Agent;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.guardrail.OutputGuardrail;
import dev.langchain4j.guardrail.OutputGuardrailResult;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.SystemMessage;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.search.simple.SimpleToolSearchStrategy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A recorded agent that is replayed unchanged does the same, and executes nothing. */
@Timeout(60)
class MockReplayTest {

  private static final AiMessage DONE = AiMessage.from("done");

  /** A service with a typed answer, which has a schema or instructions in its prompt. */
  interface Counter {
    record Answer(int count, String unit) {}

    @SystemMessage("You count.")
    Answer count(String what);
  }

  /** A service that returns more than its answer. */
  interface Detailed {
    Result<String> chat(String message);
  }

  @TempDir
  private Path sessions;

  private final Executed executed = new Executed();

  private static String path(String path) {
    return "{\"path\": \"" + path + "\"}";
  }

  /** An agent that chats once. */
  private Agent chat(UnaryOperator<AiServices<Assistant>> configuration, AiMessage... answers) {
    return instruments -> instruments
        .add(configuration.apply(
            AiServices.builder(Assistant.class).chatModel(executed.model(answers))))
        .build()
        .chat("go");
  }

  private Agent chat(AiMessage... answers) {
    return chat(builder -> builder.tools(executed.files()), answers);
  }

  /** Records and replays an agent. */
  private ReplayReport again(Agent agent) throws Exception {
    Session session = record(sessions, agent);
    assertThat(executed.take()).isNotEmpty();
    ReplayReport report = mock(session, agent);
    assertThat(executed.take()).as("executed: %s", report.divergences()).isEmpty();
    return report;
  }

  @Test
  void answer_is_that_of_the_recording() throws Exception {
    List<String> answers = new ArrayList<>();
    Agent agent = instruments -> answers.add(instruments
        .add(AiServices.builder(Assistant.class).chatModel(executed.model(DONE)))
        .build()
        .chat("go"));

    ReplayReport report = again(agent);

    assertIdentical(report);
    assertThat(answers).containsExactly("done", "done");
    assertThat(report.exchanges().served()).isEqualTo(1);
    assertThat(report.failure()).isNull();
  }

  @Test
  void replay_on_a_thread_of_the_caller() throws Exception {
    Session session = record(sessions, chat(ScriptedModel.call("a", "read", path("x")), DONE));
    try (ActiveReplay replay = Replay.of(session).mode(ReplayMode.MOCK).start()) {
      String answer = AiServiceReplayer.of(replay.scope())
          .replay(AiServices.builder(Assistant.class)
              .chatModel(executed.model())
              .tools(executed.files()))
          .build()
          .chat("go");
      assertThat(answer).isEqualTo("done");
      assertIdentical(replay.finish());
    }
  }

  @Test
  void tools_are_served() throws Exception {
    ReplayReport report = again(chat(
        ScriptedModel.call("a", "read", path("x")),
        AiMessage.from(
            "two more",
            List.of(
                ScriptedModel.request("b", "read", path("y")),
                ScriptedModel.request("c", "touch", path("z")))),
        DONE));

    assertIdentical(report);
    assertThat(report.exchanges().served()).isEqualTo(6);
  }

  @Test
  void tools_that_are_set_after_the_replayer_are_served() throws Exception {
    Agent agent = instruments -> instruments
        .add(AiServices.builder(Assistant.class))
        .chatModel(executed.model(ScriptedModel.call("a", "read", path("x")), DONE))
        .tools(executed.files())
        .build()
        .chat("go");

    assertIdentical(again(agent));
  }

  @Test
  void tools_of_providers_are_served() throws Exception {
    ToolProvider dynamic = new ToolProvider() {
      @Override
      public ToolProviderResult provideTools(
          dev.langchain4j.service.tool.ToolProviderRequest request) {
        return ToolProviderResult.builder()
            .add(ToolSpecification.builder().name("later").build(), (call, memory) -> {
              executed.add("later");
              return "later";
            })
            .build();
      }

      @Override
      public boolean isDynamic() {
        return true;
      }
    };
    ToolProvider provider = request -> ToolProviderResult.builder()
        .add(ToolSpecification.builder().name("given").build(), (call, memory) -> {
          executed.add("given");
          return "given";
        })
        .build();

    assertIdentical(again(chat(
        builder -> builder.toolProviders(provider, dynamic),
        ScriptedModel.call("a", "given", "{}"),
        ScriptedModel.call("b", "later", "{}"),
        DONE)));
  }

  @Test
  void tools_that_a_search_has_found_are_served() throws Exception {
    assertIdentical(again(chat(
        builder ->
            builder.tools(executed.files()).toolSearchStrategy(new SimpleToolSearchStrategy()),
        ScriptedModel.call("a", "tool_search_tool", "{\"terms\": [\"read\"]}"),
        ScriptedModel.call("b", "read", path("x")),
        DONE)));
  }

  @Test
  void concurrent_tools_are_served() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      assertIdentical(again(chat(
          builder -> builder.tools(executed.meeting(3)).executeToolsConcurrently(threads),
          AiMessage.from(List.of(
              ScriptedModel.request("a", "meet", path("x")),
              ScriptedModel.request("b", "meet", path("x")),
              ScriptedModel.request("c", "meet", path("y")))),
          DONE)));
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void calls_without_ids_are_served() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      assertIdentical(again(chat(
          builder -> builder.tools(executed.meeting(3)).executeToolsConcurrently(threads),
          AiMessage.from(List.of(
              ScriptedModel.request(null, "meet", path("x")),
              ScriptedModel.request(null, "meet", path("z")),
              ScriptedModel.request("b", "meet", path("y")))),
          DONE)));
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void concurrent_calls_with_the_same_id_are_served() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      assertIdentical(again(chat(
          builder -> builder.tools(executed.meeting(2)).executeToolsConcurrently(threads),
          AiMessage.from(List.of(
              ScriptedModel.request("a", "meet", path("x")),
              ScriptedModel.request("a", "meet", path("y")))),
          DONE)));
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void calls_with_the_same_id_are_served() throws Exception {
    assertIdentical(again(chat(
        AiMessage.from(List.of(
            ScriptedModel.request("a", "read", path("x")),
            ScriptedModel.request("a", "read", path("y")))),
        ScriptedModel.call("a", "read", path("z")),
        DONE)));
  }

  @Test
  void error_of_a_tool_reaches_the_model_again() throws Exception {
    assertIdentical(again(chat(ScriptedModel.call("a", "broken", path("x")), DONE)));
  }

  @Test
  void arguments_that_the_tool_rejects_fail_the_service_again() throws Exception {
    ReplayReport report = again(chat(ScriptedModel.call("a", "read", "no JSON"), DONE));

    assertIdentical(report);
    assertThat(report.failure()).isNotNull();
  }

  @Test
  void error_handlers_run_once() throws Exception {
    assertIdentical(again(chat(
        builder -> builder
            .tools(executed.files())
            .toolArgumentsErrorHandler((error, context) ->
                dev.langchain4j.service.tool.ToolErrorHandlerResult.text("bad arguments"))
            .toolExecutionErrorHandler(
                (error, context) -> dev.langchain4j.service.tool.ToolErrorHandlerResult.text(
                    "handled: " + error.getMessage())),
        ScriptedModel.call("a", "broken", path("x")),
        ScriptedModel.call("b", "read", "no JSON"),
        DONE)));
  }

  @Test
  void error_handler_that_throws_ends_the_service_again() throws Exception {
    ReplayReport report = again(chat(
        builder -> builder.tools(executed.files()).toolExecutionErrorHandler((error, context) -> {
          throw new IllegalStateException("handler: " + error.getMessage());
        }),
        ScriptedModel.call("a", "broken", path("x"))));

    assertIdentical(report);
    assertThat(report.failure())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("handler: cannot read x");
  }

  @Test
  void tool_that_does_not_exist_is_answered_again() throws Exception {
    assertIdentical(again(chat(
        builder -> builder
            .tools(executed.files())
            .hallucinatedToolNameStrategy(
                request -> ToolExecutionResultMessage.from(request, "there is no such tool")),
        ScriptedModel.call("a", "delete", path("x")),
        DONE)));
  }

  @Test
  void tool_that_does_not_exist_fails_the_service_again() throws Exception {
    assertIdentical(again(chat(ScriptedModel.call("a", "delete", path("x")), DONE)));
  }

  @Test
  void tool_call_that_a_callback_prevents_is_not_requested_from_the_tool() throws Exception {
    assertIdentical(again(chat(
        builder -> builder.tools(executed.files()).beforeToolExecution(event -> {
          throw new IllegalStateException("not allowed");
        }),
        ScriptedModel.call("a", "read", path("x")))));
  }

  @Test
  void outputs_with_images_and_half_characters_are_exact() throws Exception {
    List<Object> seen = new ArrayList<>();
    assertIdentical(again(chat(
        builder -> builder
            .tools(executed.files())
            .afterToolExecution(event -> seen.add(event.resultContents())),
        ScriptedModel.call("a", "picture", path("x")),
        ScriptedModel.call("b", "cut", path("y")),
        DONE)));

    assertThat(seen).hasSize(4);
    assertThat(seen.subList(2, 4)).isEqualTo(seen.subList(0, 2));
  }

  @Test
  void arguments_of_any_form_are_those_of_the_recording() throws Exception {
    assertIdentical(again(chat(
        builder -> builder.tools(Tools.tool(request -> {
          executed.add("tool");
          return Tools.text("ok");
        })),
        ScriptedModel.call("a", "tool", "\"text\""),
        ScriptedModel.call("b", "tool", "text"),
        ScriptedModel.call("c", "tool", "null"),
        ScriptedModel.call("d", "tool", "{\"cut\": \"\ud83d\"}"),
        AiMessage.from("cut \ud83d"))));
  }

  @Test
  void memory_grows_as_in_the_recording() throws Exception {
    Agent agent = instruments -> {
      Assistant assistant = instruments
          .add(AiServices.builder(Assistant.class)
              .chatModel(executed.model(AiMessage.from("one"), AiMessage.from("two")))
              .chatMemory(MessageWindowChatMemory.withMaxMessages(10)))
          .build();
      assistant.chat("first");
      assistant.chat("second");
    };
    Session session = Instruments.recordShared(sessions.resolve("s"), agent);
    executed.take();

    assertIdentical(Instruments.replayShared(
        session, dev.agentreplay.engine.replay.policy.ReplayPolicy.of(ReplayMode.MOCK), agent));
    assertThat(executed.take()).isEmpty();
  }

  @Test
  void typed_answers_are_parsed_again() throws Exception {
    List<Object> answers = new ArrayList<>();
    Agent agent = instruments -> answers.add(instruments
        .add(AiServices.builder(Counter.class)
            .chatModel(executed.model(AiMessage.from("{\"count\": 3, \"unit\": \"bees\"}"))))
        .build()
        .count("bees"));

    assertIdentical(again(agent));
    assertThat(answers)
        .containsExactly(new Counter.Answer(3, "bees"), new Counter.Answer(3, "bees"));
  }

  @Test
  void results_have_tokens_finish_reason_and_model() throws Exception {
    List<Result<String>> results = new ArrayList<>();
    Agent agent = instruments -> results.add(instruments
        .add(AiServices.builder(Detailed.class).chatModel(executed.model(DONE)))
        .build()
        .chat("go"));

    assertIdentical(again(agent));
    assertThat(results.get(1).tokenUsage()).isEqualTo(results.get(0).tokenUsage());
    assertThat(results.get(1).finalResponse()).isEqualTo(results.get(0).finalResponse());
  }

  /** Asks again if an answer is rude. */
  static final class Politeness implements OutputGuardrail {
    @Override
    public OutputGuardrailResult validate(AiMessage answer) {
      return answer.text().equals("rude")
          ? reprompt("rude", "be polite")
          : answer.text().equals("worse") ? fatal("no") : success();
    }
  }

  @Test
  void guardrail_asks_again() throws Exception {
    assertIdentical(again(chat(
        builder -> builder.outputGuardrails(new Politeness()),
        AiMessage.from("rude"),
        AiMessage.from("rude"),
        DONE)));
  }

  @Test
  void guardrail_ends_the_service_again() throws Exception {
    ReplayReport report = again(chat(
        builder -> builder.outputGuardrails(new Politeness()),
        AiMessage.from("rude"),
        AiMessage.from("worse")));

    assertIdentical(report);
    assertThat(report.failure()).isInstanceOf(dev.langchain4j.guardrail.GuardrailException.class);
  }

  @Test
  void builder_is_replayed_once_by_one_replayer() throws Exception {
    Session session = record(sessions, chat(builder -> builder, DONE));
    try (ActiveReplay replay = Replay.of(session).mode(ReplayMode.MOCK).start()) {
      AiServiceReplayer replayer = AiServiceReplayer.of(replay.scope());
      AiServices<Assistant> builder = AiServices.builder(Assistant.class);
      Assistant assistant = replayer.replay(replayer.replay(builder)).build();
      assertThat(assistant.chat("go")).isEqualTo("done");
      AiServiceReplayer other = AiServiceReplayer.of(replay.scope());
      assertThatThrownBy(() -> other.replay(builder))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the builder is replayed by a different replayer");
      assertIdentical(replay.finish());
    }
  }
}
