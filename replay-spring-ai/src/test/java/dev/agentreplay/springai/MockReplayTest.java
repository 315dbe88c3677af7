package dev.agentreplay.springai;

import static dev.agentreplay.springai.Agents.assertIdentical;
import static dev.agentreplay.springai.ScriptedChatModel.calling;
import static dev.agentreplay.springai.ScriptedChatModel.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.content.Media;
import org.springframework.ai.model.tool.ToolCallLimitBehavior;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.util.MimeTypeUtils;

class MockReplayTest {

  @TempDir
  Path sessions;

  private final Tools tools = new Tools();

  /** An agent whose answers are kept, to compare those of a recording with those of a replay. */
  private interface Answering {
    Object run(ChatClient.Builder client);
  }

  private Object assertReplayed(ToolCallingManager manager, Answering agent, Object... answers)
      throws Exception {
    ScriptedChatModel model = ScriptedChatModel.inTurn(answers);
    List<Object> results = new ArrayList<>();
    Recorded recorded =
        Agents.record(sessions, calls -> run(Agents.client(calls, model, manager), agent, results));
    int called = model.calls();
    tools.take();

    ReplayReport report = Agents.mock(
        recorded.session(), calls -> run(Agents.client(calls, model, manager), agent, results));

    assertIdentical(report);
    assertThat(model.calls()).as("model calls").isEqualTo(called);
    assertThat(tools.take()).as("tools that ran").isEmpty();
    assertThat(results).hasSize(2);
    assertThat(results.get(1)).isEqualTo(results.get(0));
    return results.get(1);
  }

  private void run(ChatClient.Builder client, Answering agent, List<Object> results) {
    try {
      results.add(agent.run(client.defaultTools(tools)));
    } catch (RuntimeException e) {
      results.add(e.getClass().getName() + ": " + e.getMessage());
      throw e;
    }
  }

  private static ToolCallingManager manager() {
    return ToolCallingManager.builder().build();
  }

  private static Object chat(ChatClient.Builder client) {
    return client.build().prompt("Go").call().content();
  }

  @Test
  void calls_areServed_andNoModelOrToolRuns() throws Exception {
    Object answer = assertReplayed(
        manager(),
        MockReplayTest::chat,
        calling(
            tool("c1", "read", "{\"path\":\"a\"}"),
            tool("c1", "read", "{\"path\":\"b\"}"),
            tool(null, "broken", "{\"path\":\"c\"}")),
        calling(tool("d", "read", "not json")),
        "done\ud83d");
    assertThat(answer).isEqualTo("done\ud83d");
  }

  @Test
  void streams_areServedInPieces() throws Exception {
    Object pieces = assertReplayed(
        manager(),
        client -> client.build().prompt("Go").stream().content().collectList().block(),
        calling(tool("c1", "read", "{\"path\":\"a\"}")),
        "All is fine");
    assertThat(pieces).isEqualTo(List.of("All ", "is f", "ine"));
  }

  @Test
  void failures_areThrownAgain() throws Exception {
    Object failure =
        assertReplayed(manager(), MockReplayTest::chat, new IllegalStateException("overloaded"));
    assertThat(failure).isEqualTo("java.lang.IllegalStateException: overloaded");
  }

  @Test
  void aFailedStream_failsAfterItsPieces() throws Exception {
    IllegalStateException thrown = new IllegalStateException("reset");
    List<List<String>> pieces = new ArrayList<>();
    Agents.Agent agent = calls -> {
      List<String> received = new ArrayList<>();
      pieces.add(received);
      assertThatThrownBy(() ->
              Agents.client(calls, StreamRecordingTest.broken(thrown)).build().prompt("Go").stream()
                  .content()
                  .doOnNext(received::add)
                  .blockLast())
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("reset");
    };
    assertIdentical(Agents.mock(Agents.record(sessions, agent).session(), agent));
    assertThat(pieces.get(0)).containsExactly("half an ", "answer");
    assertThat(pieces.get(1)).isEqualTo(pieces.get(0));
  }

  @Test
  void aCancelledStream_isCancelledAgain() throws Exception {
    Agents.Agent agent = calls -> assertThat(
            Agents.client(calls, StreamRecordingTest.unending()).build().prompt("Go").stream()
                .content()
                .take(2)
                .collectList()
                .block())
        .containsExactly("piece", "piece");
    assertIdentical(Agents.mock(Agents.record(sessions, agent).session(), agent));
  }

  @Test
  void limitsAreKept_whetherTheyThrowOrAnswer() throws Exception {
    AssistantMessage three = calling(
        tool("c1", "read", "{\"path\":\"a\"}"),
        tool("c2", "read", "{\"path\":\"b\"}"),
        tool("c3", "direct", "{\"path\":\"c\"}"));
    Object thrown = assertReplayed(
        ToolCallingManager.builder().maxCallsPerTool(1).build(), MockReplayTest::chat, three);
    assertThat((String) thrown).contains("limit");
  }

  @Test
  void anAnswerOfALimit_isServed() throws Exception {
    assertReplayed(
        ToolCallingManager.builder()
            .maxCallsPerTool(1)
            .onLimitExceeded(ToolCallLimitBehavior.RETURN_ERROR_RESPONSE)
            .build(),
        MockReplayTest::chat,
        calling(
            tool("c1", "read", "{\"path\":\"a\"}"),
            tool("c2", "read", "{\"path\":\"b\"}"),
            tool("c3", "read", "{\"path\":\"c\"}")),
        "done");
  }

  @Test
  void returnDirect_andToolContext_areKept() throws Exception {
    Object answer = assertReplayed(
        manager(),
        client -> chat(client.defaultToolContext(Map.of("user", "ann"))),
        calling(tool("c1", "who", "{}")),
        calling(tool("c2", "direct", "{\"path\":\"x\"}")));
    assertThat(answer).isEqualTo("\"directly x\"");
  }

  record Verdict(String text, int score) {}

  @Test
  void structuredOutput_isRestored() throws Exception {
    Object answer = assertReplayed(
        manager(),
        client -> client.build().prompt("Go").call().entity(Verdict.class),
        "{\"text\":\"good\",\"score\":7}");
    assertThat(answer).isEqualTo(new Verdict("good", 7));
  }

  @Test
  void aResponse_isRestoredWithItsGenerationsAndMetadata() throws Exception {
    ChatResponse response = new ChatResponse(
        List.of(
            new Generation(
                AssistantMessage.builder()
                    .content("first")
                    .properties(Map.of("reasoning", "because", "index", 0))
                    .media(List.of(Media.builder()
                        .mimeType(MimeTypeUtils.IMAGE_PNG)
                        .data(new byte[] {1, 2, 3})
                        .name("picture")
                        .build()))
                    .build(),
                ChatGenerationMetadata.builder()
                    .finishReason("length")
                    .metadata("logprobs", List.of(0.5))
                    .contentFilter("hate")
                    .build()),
            new Generation(new AssistantMessage("second"))),
        ChatResponseMetadata.builder()
            .id("r7")
            .model("m-7")
            .usage(new DefaultUsage(5, 6, 20, null, 2L, 3L))
            .keyValue("fingerprint", "f")
            .keyValue("native", new Object())
            .build());
    AtomicReference<ChatResponse> restored = new AtomicReference<>();
    assertReplayed(
        manager(),
        client -> {
          restored.set(client.build().prompt("Go").call().chatResponse());
          return "";
        },
        response);

    ChatResponse answer = restored.get();
    assertThat(answer.getResults()).hasSize(2);
    Generation first = answer.getResults().get(0);
    assertThat(first.getOutput().getText()).isEqualTo("first");
    assertThat(first.getOutput().getMetadata())
        .containsEntry("reasoning", "because")
        .containsEntry("index", 0);
    assertThat(first.getOutput().getMedia().get(0).getDataAsByteArray()).containsExactly(1, 2, 3);
    assertThat(first.getOutput().getMedia().get(0).getName()).isEqualTo("picture");
    assertThat(first.getMetadata().getFinishReason()).isEqualTo("length");
    assertThat(first.getMetadata().getContentFilters()).containsExactly("hate");
    assertThat(first.getMetadata().<Object>get("logprobs")).isEqualTo(List.of(0.5));
    assertThat(answer.getResults().get(1).getOutput().getText()).isEqualTo("second");
    assertThat(answer.getMetadata().getId()).isEqualTo("r7");
    assertThat(answer.getMetadata().getModel()).isEqualTo("m-7");
    assertThat(answer.getMetadata().getUsage().getTotalTokens()).isEqualTo(20);
    assertThat(answer.getMetadata().getUsage().getCacheReadInputTokens()).isEqualTo(2);
    assertThat(answer.getMetadata().<Object>get("fingerprint")).isEqualTo("f");
    assertThat(answer.getMetadata().containsKey("native")).isFalse();
  }

  @Test
  void theModelOfTheRecording_standsForTheRealOne() throws Exception {
    Recorded recorded = Agents.record(
        sessions, calls -> chat(Agents.client(calls, ScriptedChatModel.inTurn("done"))));
    AtomicReference<Object> answer = new AtomicReference<>();
    assertIdentical(Agents.mock(
        recorded.session(),
        calls -> answer.set(chat(Agents.client(calls, RecordedChatModel.of(recorded.session()))))));
    assertThat(answer.get()).isEqualTo("done");

    ChatModel bare = RecordedChatModel.of(recorded.session());
    assertThat(bare.getOptions().getModel()).isEqualTo("scripted");
    assertThat(bare.getOptions().getTemperature()).isEqualTo(0.5);
    assertThatThrownBy(() -> bare.call("Go"))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("SpringAiCalls");
  }

  @Test
  void aChange_isFound_andTheMissSurfacesOutOfTheClient() throws Exception {
    Recorded recorded = Agents.record(
        sessions,
        calls -> chat(Agents.client(
                calls,
                ScriptedChatModel.inTurn(calling(tool("c1", "read", "{\"path\":\"a\"}")), "done"))
            .defaultTools(tools)));
    AtomicReference<Throwable> caught = new AtomicReference<>();
    ReplayReport report = Agents.mock(recorded.session(), calls -> {
      try {
        Agents.client(calls, RecordedChatModel.of(recorded.session()))
            .defaultTools(tools)
            .build()
            .prompt("Go elsewhere")
            .call()
            .content();
      } catch (RuntimeException e) {
        caught.set(e);
        throw e;
      }
    });
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(caught.get().getClass().getPackageName()).startsWith("dev.agentreplay.engine");
  }

  @Test
  void aChangedTool_isFound() throws Exception {
    ScriptedChatModel model =
        ScriptedChatModel.inTurn(calling(tool("c1", "read", "{\"path\":\"a\"}")), "done");
    Recorded recorded =
        Agents.record(sessions, calls -> chat(Agents.client(calls, model).defaultTools(tools)));
    ReplayReport report = Replay.of(recorded.session())
        .mode(ReplayMode.MOCK)
        .run(scope -> chat(Agents.client(
                SpringAiCalls.to(SpringAiReplayer.of(scope)),
                RecordedChatModel.of(recorded.session()))
            .defaultSystem("Be kind")
            .defaultTools(tools)));
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(tools.take()).containsExactly("read a");
  }
}
