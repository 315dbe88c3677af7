package dev.agentreplay.springai;

import static dev.agentreplay.springai.Agents.assertIdentical;
import static dev.agentreplay.springai.ScriptedChatModel.calling;
import static dev.agentreplay.springai.ScriptedChatModel.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.SafeGuardAdvisor;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.Usage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.internal.ToolCallReactiveContextHolder;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.execution.DefaultToolExecutionExceptionProcessor;
import org.springframework.ai.tool.execution.ToolExecutionException;

/** Answers that models seldom give, or that no wrapped model gave. */
class UnusualAnswersTest {

  @TempDir
  Path sessions;

  /** The tokens of a model that does not count those of the prompt. */
  private static final class OutputOnly implements Usage {

    @Override
    public Integer getPromptTokens() {
      return null;
    }

    @Override
    public Integer getCompletionTokens() {
      return 3;
    }

    @Override
    public Integer getTotalTokens() {
      return 3;
    }

    @Override
    public Object getNativeUsage() {
      return this;
    }
  }

  private static Generation generation(String text, String reason) {
    return new Generation(
        new AssistantMessage(text),
        ChatGenerationMetadata.builder().finishReason(reason).build());
  }

  private static String stream(SpringAiCalls calls, ChatModel model) {
    List<ChatResponse> responses =
        calls.wrap(model).stream(new Prompt("hi")).collectList().block();
    return responses.stream().map(RecordedModelCall::text).collect(Collectors.joining());
  }

  @Test
  void aStreamWithoutCountsOfThePrompt_isRecorded() throws Exception {
    ChatModel model = new ScriptedChatModel(prompt -> new ChatResponse(
        List.of(generation("hello", "STOP")),
        ChatResponseMetadata.builder().id("r1").usage(new OutputOnly()).build()));
    Recorded recorded = Agents.record(sessions, calls -> stream(calls, model));

    assertThat(recorded.modelResults().get(0).answer().value().asString()).isEqualTo("hello");
    assertThat(recorded.modelResults().get(0).finish().reason()).isEqualTo("STOP");
    assertThat(recorded.modelResults().get(0).tokens().output()).isEqualTo(3);
    assertIdentical(Agents.mock(
        recorded.session(), calls -> assertThat(stream(calls, model)).isEqualTo("hello")));
  }

  @Test
  void finishReasonsOfAllGenerations_areRestored() throws Exception {
    ChatModel model = new ScriptedChatModel(prompt -> new ChatResponse(
        List.of(generation("one", "STOP"), generation("two", "LENGTH")),
        ChatResponseMetadata.builder().build()));
    AtomicReference<ChatResponse> answer = new AtomicReference<>();
    Agents.Agent agent = calls ->
        answer.set(Agents.client(calls, model).build().prompt("hi").call().chatResponse());
    Recorded recorded = Agents.record(sessions, agent);
    assertIdentical(Agents.mock(recorded.session(), agent));

    assertThat(answer.get().getResults())
        .extracting(each -> each.getMetadata().getFinishReason())
        .containsExactly("STOP", "LENGTH");
  }

  @Test
  @SuppressWarnings("NullAway") // the model is wrong
  void aGenerationWithoutAMessage_reachesTheCaller() {
    ChatResponse response = new ChatResponse(List.of(new Generation(null)));
    AtomicReference<ChatResponse> answer = new AtomicReference<>();
    Recorded recorded = Agents.record(
        sessions,
        calls -> answer.set(
            calls.wrap(new ScriptedChatModel(prompt -> response)).call(new Prompt("hi"))));

    assertThat(answer.get()).isSameAs(response);
    assertThat(recorded.kinds()).containsExactly("ModelCall", "ModelResult", "SessionEnd");
  }

  @Test
  void aSessionWhoseSummaryFails_hasAnEnd() {
    AssistantMessage message = new AssistantMessage("x") {
      private int reads;

      @Override
      public String getText() {
        if (reads++ > 2) {
          throw new IllegalStateException("no text");
        }
        return "x";
      }
    };
    ChatResponse response = new ChatResponse(List.of(new Generation(message)));
    AtomicReference<ChatResponse> answer = new AtomicReference<>();
    try (SpringAiRecorder recorder = SpringAiRecorder.into(sessions, Agents.BUFFERED)) {
      recorder.onFailure(failure -> {});
      ChatModel model = SpringAiCalls.to(recorder).wrap(new ScriptedChatModel(prompt -> {
        message.getText();
        message.getText();
        message.getText();
        return response;
      }));
      answer.set(model.call(new Prompt("hi")));
      assertThat(recorder.failures()).isPositive();
      assertThat(recorder.openSessions()).isEmpty();
    }

    assertThat(answer.get()).isSameAs(response);
    assertThat(Recorded.all(sessions).get(0).hasEnded()).isTrue();
  }

  private static String unwrapped(SpringAiCalls calls, ChatModel model) {
    return ChatClient.builder(model)
        .defaultAdvisors(calls.advisor())
        .build()
        .prompt("hi")
        .call()
        .content();
  }

  @Test
  void aModelThatIsNotWrapped_isReportedOnce_andRefusedInAReplay() throws Exception {
    List<String> failures = new ArrayList<>();
    ChatModel model = ScriptedChatModel.inTurn("a", "b", "c");
    try (SpringAiRecorder recorder = SpringAiRecorder.into(sessions, Agents.BUFFERED)) {
      recorder.onFailure(failure -> failures.add(failure.event() + failure.cause()));
      assertThat(unwrapped(SpringAiCalls.to(recorder), model)).isEqualTo("a");
      assertThat(unwrapped(SpringAiCalls.to(recorder), model)).isEqualTo("b");
    }

    assertThat(failures).singleElement().asString().contains("not wrapped");
    Recorded recorded = Recorded.all(sessions).get(0);
    assertThat(recorded.kinds()).containsExactly("RecordingGap", "SessionEnd");
    ReplayReport report =
        Agents.mock(recorded.session(), calls -> assertThatThrownBy(() -> unwrapped(calls, model))
            .hasMessageContaining("SpringAiCalls.wrap"));
    assertThat(report.passes()).isFalse();
  }

  @Test
  void anAdvisorThatAnswers_isReplayed() throws Exception {
    Agents.Agent agent = calls -> Agents.client(calls, ScriptedChatModel.inTurn("never"))
        .defaultAdvisors(
            SafeGuardAdvisor.builder().sensitiveWords(List.of("secret")).build())
        .build()
        .prompt("secret")
        .call()
        .content();
    Recorded recorded = Agents.record(sessions, agent);

    assertThat(recorded.kinds()).containsExactly("SessionEnd");
    ReplayReport report = Agents.mock(recorded.session(), agent);
    assertThat(report.divergences()).isEmpty();
    assertThat(report.failure()).isNull();
  }

  /** A tool that reads the context of Reactor. */
  private static final class ContextTool {

    private final List<String> seen = new ArrayList<>();

    @Tool(description = "who")
    String who(String name) {
      seen.add(ToolCallReactiveContextHolder.getContext().getOrDefault("user", "none"));
      return name;
    }
  }

  @Test
  void eachToolOfAStream_seesTheContext() throws Exception {
    ContextTool context = new ContextTool();
    try (SessionRecorder recorder =
        SessionRecorder.start(sessions.resolve("s"), SessionStart.of("s"), Agents.BUFFERED)) {
      SpringAiCalls calls = SpringAiCalls.to(
          SpringAiReplayer.ofShared(AgentScope.recording(recorder, Executors.none())));
      ChatModel model = ScriptedChatModel.inTurn(
          calling(tool("c1", "who", "{\"name\":\"x\"}"), tool("c2", "who", "{\"name\":\"y\"}")),
          "done");
      Agents.client(calls, model).defaultTools(context).build().prompt("hi").stream()
          .content()
          .collectList()
          .contextWrite(given -> given.put("user", "u1"))
          .block();
      recorder.end(SessionEnd.of(Status.SUCCESS));
    }

    assertThat(context.seen).containsExactly("u1", "u1");
  }

  /** A tool that fails for a reason with a reason. */
  private static final class Failing {

    @Tool(description = "fails")
    String fail(String name) {
      throw new IllegalStateException("outer", new IllegalArgumentException("inner"));
    }
  }

  @Test
  void anExceptionOfATool_isRestoredWithToolAndCauses() throws Exception {
    List<Throwable> thrown = new ArrayList<>();
    Agents.Agent agent = calls -> {
      try {
        Agents.client(
                calls,
                ScriptedChatModel.inTurn(calling(tool("c1", "fail", "{\"name\":\"x\"}"))),
                ToolCallingManager.builder()
                    .toolExecutionExceptionProcessor(
                        DefaultToolExecutionExceptionProcessor.builder()
                            .alwaysThrow(true)
                            .build())
                    .build())
            .defaultTools(new Failing())
            .build()
            .prompt("hi")
            .call()
            .content();
      } catch (ToolExecutionException e) {
        thrown.add(e);
        throw e;
      }
    };
    Recorded recorded = Agents.record(sessions, agent);
    Agents.mock(recorded.session(), agent);

    assertThat(thrown).hasSize(2);
    ToolExecutionException restored = (ToolExecutionException) thrown.get(1);
    assertThat(restored.getToolDefinition().name()).isEqualTo("fail");
    assertThat(restored).hasMessage(thrown.get(0).getMessage());
    assertThat(restored.getCause()).isInstanceOf(IllegalStateException.class).hasMessage("outer");
    assertThat(restored.getCause().getCause())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("inner");
  }
}
