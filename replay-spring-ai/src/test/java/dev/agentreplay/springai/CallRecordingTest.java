package dev.agentreplay.springai;

import static dev.agentreplay.springai.ScriptedChatModel.calling;
import static dev.agentreplay.springai.ScriptedChatModel.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.content.Media;
import org.springframework.ai.model.tool.ToolCallLimitBehavior;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.execution.DefaultToolExecutionExceptionProcessor;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.resolution.StaticToolCallbackResolver;
import org.springframework.util.MimeTypeUtils;

class CallRecordingTest {

  @TempDir
  Path sessions;

  private final Tools tools = new Tools();

  @Test
  void aCallOfAClient_isASessionWithItsModelAndToolCalls() {
    AtomicReference<ChatResponse> answer = new AtomicReference<>();
    Recorded recorded = Agents.record(
        sessions,
        calls -> answer.set(Agents.client(
                calls,
                ScriptedChatModel.inTurn(
                    calling(
                        tool("c1", "read", "{\"path\":\"a.txt\"}"),
                        tool("c2", "read", "{\"path\":\"b.txt\"}")),
                    "done"))
            .defaultSystem("Be brief")
            .defaultTools(tools)
            .build()
            .prompt("Review")
            .call()
            .chatResponse()));

    assertThat(answer.get().getResult().getOutput().getText()).isEqualTo("done");
    assertThat(recorded.kinds())
        .containsExactly(
            "ModelCall",
            "ModelResult",
            "ToolCall",
            "ToolResult",
            "ToolCall",
            "ToolResult",
            "ModelCall",
            "ModelResult",
            "SessionEnd");
    assertThat(recorded.start().task().text()).isEqualTo("Review");
    assertThat(recorded.start().task().instructions()).isEqualTo("Be brief");
    assertThat(recorded.toolCalls()).extracting(ToolCall::id).containsExactly("c1", "c2");
    assertThat(recorded.toolResults())
        .extracting(result -> result.output().value())
        .containsExactly(
            JsonValue.of("\"content of a.txt\""), JsonValue.of("\"content of b.txt\""));
    assertThat(recorded.end().status()).isEqualTo(Status.SUCCESS);
    assertThat(recorded.end().summary()).isEqualTo("done");
  }

  @Test
  void tokens_areThoseOfEachModelCall_notTheSumThatTheClientReturns() {
    AtomicReference<ChatResponse> answer = new AtomicReference<>();
    Recorded recorded = Agents.record(
        sessions,
        calls -> answer.set(Agents.client(
                calls,
                ScriptedChatModel.inTurn(calling(tool("c1", "read", "{\"path\":\"a\"}")), "done"))
            .defaultTools(tools)
            .build()
            .prompt("Review")
            .call()
            .chatResponse()));

    assertThat(answer.get().getMetadata().getUsage().getPromptTokens()).isEqualTo(14);
    assertThat(recorded.modelResults())
        .extracting(ModelResult::tokens)
        .containsExactly(TokenCounts.of(7, 3), TokenCounts.of(7, 3));
    assertThat(recorded.modelResults().get(1).finish().reason()).isEqualTo("STOP");
    assertThat(recorded.modelCalls().get(0).model()).isEqualTo("scripted");
    assertThat(recorded.modelCalls().get(0).parameters().temperature()).isEqualTo(0.5);
  }

  @Test
  void aFailingTool_isRecordedWithTheTextForTheModelAndItsException() {
    Recorded recorded = Agents.record(sessions, calls -> Agents.client(
            calls,
            ScriptedChatModel.inTurn(
                calling(
                    tool("c1", "broken", "{\"path\":\"a\"}"),
                    tool("c2", "read", "{\"path\":\"b\"}")),
                "done"))
        .defaultTools(tools)
        .build()
        .prompt("Review")
        .call()
        .content());

    assertThat(recorded.toolCalls()).extracting(ToolCall::id).containsExactly("c1", "c2");
    ToolResult failed = recorded.toolResults().stream()
        .filter(result -> result.id().equals("c1"))
        .findFirst()
        .orElseThrow();
    assertThat(failed.output().value()).isEqualTo(JsonValue.of("cannot read a"));
    assertThat(failed.outcome().succeeded()).isFalse();
    assertThat(failed.meta().extra().get("exception").toString())
        .contains("ToolExecutionException", "IllegalStateException");
  }

  @Test
  void anExceptionOfATool_isThrownAsTheSameInstance_andRecorded() {
    IllegalStateException thrown = new IllegalStateException("no");
    ToolCallback throwing = FunctionToolCallback.builder(
            "throwing", (Map<String, Object> input) -> {
              throw thrown;
            })
        .inputType(Map.class)
        .build();
    AtomicReference<Throwable> caught = new AtomicReference<>();
    Recorded recorded = Agents.record(sessions, calls -> {
      try {
        Agents.client(
                calls,
                ScriptedChatModel.inTurn(
                    calling(tool("c1", "read", "{\"path\":\"b\"}"), tool("c2", "throwing", "{}"))),
                ToolCallingManager.builder()
                    .toolExecutionExceptionProcessor(
                        DefaultToolExecutionExceptionProcessor.builder()
                            .rethrowExceptions(List.of(IllegalStateException.class))
                            .build())
                    .build())
            .defaultTools(tools)
            .defaultTools(throwing)
            .build()
            .prompt("Review")
            .call()
            .content();
      } catch (RuntimeException e) {
        caught.set(e);
      }
    });

    assertThat(caught.get()).isSameAs(thrown);
    assertThat(recorded.toolResults()).extracting(ToolResult::id).containsExactly("c1", "c2");
    assertThat(recorded.toolResults().get(1).outcome().error().name())
        .isEqualTo("java.lang.IllegalStateException");
    assertThat(recorded.end().status()).isEqualTo(Status.FAILED);
    assertThat(recorded.end().errorMessage()).isEqualTo("no");
  }

  @Test
  void anExceptionOfAModel_isThrownAsTheSameInstance_andRecorded() {
    IllegalStateException thrown = new IllegalStateException("overloaded");
    Recorded recorded = Agents.record(sessions, calls -> assertThatThrownBy(
            () -> Agents.client(calls, ScriptedChatModel.inTurn(thrown))
                .build()
                .prompt("Review")
                .call()
                .content())
        .isSameAs(thrown));

    assertThat(recorded.modelResults().get(0).finish().error().message()).isEqualTo("overloaded");
    assertThat(recorded.end().status()).isEqualTo(Status.FAILED);
  }

  @Test
  void aToolThatTheManagerResolves_anUnknownOneAndLimits_areRecorded() {
    ToolCallback[] resolved = ToolCallbacks.from(tools);
    ToolCallingManager manager = ToolCallingManager.builder()
        .toolCallbackResolver(new StaticToolCallbackResolver(List.of(resolved)))
        .resolutionFallbackEnabled(true)
        .maxCallsPerTool("direct", 1)
        .onLimitExceeded(ToolCallLimitBehavior.RETURN_ERROR_RESPONSE)
        .build();
    Recorded recorded = Agents.record(sessions, calls -> Agents.client(
            calls,
            ScriptedChatModel.inTurn(
                calling(
                    tool("c1", "read", "{\"path\":\"a\"}"),
                    tool("c2", "direct", "{\"path\":\"b\"}"),
                    tool("c3", "direct", "{\"path\":\"c\"}")),
                calling(tool("c4", "unknown", "{}"))),
            manager)
        .build()
        .prompt("Review")
        .call()
        .content());

    assertThat(recorded.toolCalls())
        .extracting(ToolCall::id)
        .containsExactly("c1", "c2", "c3", "c4");
    assertThat(tools.take()).containsExactly("read a", "direct b");
    assertThat(recorded.toolResults().get(0).output().value())
        .isEqualTo(JsonValue.of("\"content of a\""));
    assertThat(recorded.toolResults().get(2).output().value().asString()).contains("limit");
    assertThat(recorded.toolResults().get(3).outcome().succeeded()).isFalse();
  }

  @Test
  void idsThatAreNullOrDuplicate_andInvalidArguments_areRecorded() {
    Recorded recorded = Agents.record(sessions, calls -> Agents.client(
            calls,
            ScriptedChatModel.inTurn(
                calling(
                    tool(null, "read", "{\"path\":\"a\"}"),
                    tool("c", "read", "{\"path\":\"b\"}"),
                    tool("c", "read", "{\"path\":\"c\"}")),
                calling(tool("d", "read", "not json")),
                "done"))
        .defaultTools(tools)
        .build()
        .prompt("Review")
        .call()
        .content());

    assertThat(tools.take()).contains("read a", "read b", "read c");
    assertThat(recorded.toolCalls()).hasSize(4);
    assertThat(recorded.toolCalls().get(3).params().value()).isEqualTo(JsonValue.of("not json"));
    assertThat(recorded.toolCalls()).extracting(ToolCall::id).doesNotContain("");
  }

  @Test
  void imagesAndLoneSurrogates_areRecorded() {
    AssistantMessage cut = new AssistantMessage("cut\ud83d");
    Recorded recorded = Agents.record(sessions, calls -> Agents.client(
            calls, ScriptedChatModel.inTurn(cut))
        .build()
        .prompt()
        .user(user -> user.text("What is this?")
            .media(
                Media.builder()
                    .mimeType(MimeTypeUtils.IMAGE_PNG)
                    .data(new byte[] {1, 2})
                    .build(),
                new Media(MimeTypeUtils.IMAGE_JPEG, java.net.URI.create("http://a.test/b.jpg"))))
        .call()
        .content());

    JsonObject prompt = recorded.modelCalls().get(0).prompt().value().asObject();
    assertThat(prompt.at("/messages/0/media/0"))
        .isEqualTo(JsonObject.of("mime_type", "image/png", "data", "AQI="));
    assertThat(prompt.at("/messages/0/media/1"))
        .isEqualTo(JsonObject.of("mime_type", "image/jpeg", "uri", "http://a.test/b.jpg"));
    assertThat(
            recorded.modelResults().get(0).meta().extra().at("/utf16/~1answer").asString())
        .isNotEmpty();
  }

  @Test
  void theCallerStatesTheIdAndTheConversation() {
    Recorded recorded =
        Agents.record(sessions, calls -> Agents.client(calls, ScriptedChatModel.inTurn("hi"))
            .build()
            .prompt("Hello")
            .advisors(advisors -> advisors
                .param(SessionAdvisor.SESSION_ID, "night-7")
                .param(ChatMemory.CONVERSATION_ID, "c7"))
            .call()
            .content());

    assertThat(recorded.start().meta().sessionId()).isEqualTo("night-7");
    assertThat(recorded.session().directory().getFileName()).hasToString("night-7");
    assertThat(recorded.start().labels().tags()).containsExactly("memory:c7");
  }

  @Test
  void aBareModel_andToolsOfTheCaller_areSessionsOfTheirOwn() {
    try (SpringAiRecorder recorder = SpringAiRecorder.into(sessions)) {
      SpringAiCalls calls = SpringAiCalls.to(recorder);
      ChatModel model = calls.wrap(
          ScriptedChatModel.inTurn(calling(tool("c1", "read", "{\"path\":\"a\"}")), "done"));
      ToolCallingManager manager = calls.wrap(ToolCallingManager.builder().build());
      Prompt prompt = new Prompt(
          "Review",
          ToolCallingChatOptions.builder()
              .toolCallbacks(ToolCallbacks.from(tools))
              .build());
      assertThat(Recorded.all(sessions)).isEmpty();
      ChatResponse response = model.call(prompt);
      manager.executeToolCalls(prompt, response);
      model.stream(prompt).blockLast();
      assertThat(recorder.failures()).isZero();
      assertThat(recorder.sessions()).isEqualTo(3);
      assertThat(recorder.toolCalls()).isEqualTo(1);
      assertThat(recorder.modelCalls()).isEqualTo(2);
    }
    assertThat(Recorded.all(sessions))
        .allSatisfy(recorded -> assertThat(recorded.isValid().hasEnded()).isTrue())
        .hasSize(3);
  }

  @Test
  void aClientThatIsATool_hasASessionThatNamesItsParent_orALaneOfASharedOne() throws Exception {
    Path shared = sessions.resolve("shared");
    try (SpringAiRecorder recorder = SpringAiRecorder.into(sessions.resolve("own"))) {
      nested(SpringAiCalls.to(recorder));
      assertThat(recorder.failures()).isZero();
    }
    List<Recorded> own = Recorded.all(sessions.resolve("own"));
    assertThat(own).hasSize(2);
    Recorded inner =
        own.stream().filter(each -> each.toolCalls().isEmpty()).findFirst().orElseThrow();
    Recorded outer =
        own.stream().filter(each -> !each.toolCalls().isEmpty()).findFirst().orElseThrow();
    assertThat(inner.start().labels().tags())
        .containsExactly(
            "service:Reviewer",
            "parent_invocation:" + outer.start().meta().sessionId(),
            "parent_call:c1");

    try (SessionRecorder session = SessionRecorder.start(shared, "s")) {
      SpringAiRecorder recorder = SpringAiRecorder.into(session);
      nested(SpringAiCalls.to(recorder));
      session.end(Status.SUCCESS, 1.0);
      assertThat(recorder.failures()).isZero();
    }
    Recorded one = Recorded.read(Session.open(shared)).isValid();
    assertThat(one.events().stream()
            .skip(2)
            .map(event -> event.kind().id() + " " + event.meta().agent() + " "
                + event.meta().parent()))
        .contains("ModelCall Reviewer c1", "ModelResult Reviewer c1", "ToolCall null null");
  }

  private void nested(SpringAiCalls calls) {
    ChatClient reviewer = ChatClient.builder(calls.wrap(ScriptedChatModel.inTurn("fine")))
        .defaultAdvisors(calls.advisor("Reviewer"))
        .build();
    ToolCallback ask = FunctionToolCallback.builder(
            "ask",
            (Map<String, Object> input) -> reviewer.prompt("Review").call().content())
        .inputType(Map.class)
        .build();
    String answer = Agents.client(
            calls, ScriptedChatModel.inTurn(calling(tool("c1", "ask", "{}")), "done"))
        .defaultTools(ask)
        .build()
        .prompt("Go")
        .call()
        .content();
    assertThat(answer).isEqualTo("done");
  }

  @Test
  void aClientWithToolsThatIsAToolOfAStream_keepsItsToolCallsApart() {
    try (SpringAiRecorder recorder = SpringAiRecorder.into(sessions)) {
      SpringAiCalls calls = SpringAiCalls.to(recorder);
      ChatClient inner = Agents.client(
              calls,
              ScriptedChatModel.inTurn(calling(tool("i1", "read", "{\"path\":\"a\"}")), "fine"))
          .defaultTools(tools)
          .build();
      ToolCallback ask = FunctionToolCallback.builder(
              "ask",
              (Map<String, Object> input) -> inner.prompt("Review").call().content())
          .inputType(Map.class)
          .build();
      Agents.client(calls, ScriptedChatModel.inTurn(calling(tool("o1", "ask", "{}")), "done"))
          .defaultTools(ask)
          .build()
          .prompt("Go")
          .stream()
          .content()
          .blockLast();
      assertThat(recorder.failures()).isZero();
    }
    assertThat(Recorded.all(sessions))
        .extracting(recorded -> recorded.isValid().start().task().text()
            + recorded.toolCalls().get(0).id())
        .containsExactlyInAnyOrder("Goo1", "Reviewi1");
  }

  @Test
  void wrappers_areIdempotent_andPassThroughWithoutADestination() {
    SpringAiCalls calls = SpringAiCalls.to(() -> null);
    ScriptedChatModel model = ScriptedChatModel.inTurn("hi", "hello");
    ChatModel wrapped = calls.wrap(model);
    ToolCallingManager manager = calls.wrap(ToolCallingManager.builder().build());

    assertThat(calls.wrap(wrapped)).isSameAs(wrapped);
    assertThat(calls.wrap(manager)).isSameAs(manager);
    assertThat(wrapped.getOptions()).isSameAs(model.getOptions());
    assertThat(Agents.client(calls, model).build().prompt("a").call().content()).isEqualTo("hi");
    assertThat(wrapped.stream("a").collectList().block()).containsExactly("hell", "o", "");
  }

  @Test
  void returnDirectAndToolContext_workAsWithoutRecording() {
    AtomicReference<String> answer = new AtomicReference<>();
    Recorded recorded = Agents.record(
        sessions,
        calls -> answer.set(Agents.client(
                calls,
                ScriptedChatModel.inTurn(
                    calling(tool("c1", "who", "{}")),
                    calling(tool("c2", "direct", "{\"path\":\"x\"}"))))
            .defaultTools(tools)
            .defaultToolContext(Map.of("user", "ann"))
            .build()
            .prompt("Go")
            .call()
            .content()));

    assertThat(answer.get()).isEqualTo("\"directly x\"");
    assertThat(tools.take()).containsExactly("who", "direct x");
    assertThat(recorded.toolResults().get(1).meta().extra().get("return_direct"))
        .isEqualTo(JsonValue.of(true));
    assertThat(recorded.end().summary()).isEqualTo("\"directly x\"");
  }
}
