package dev.agentreplay.springai;

import static dev.agentreplay.springai.ScriptedChatModel.calling;
import static dev.agentreplay.springai.ScriptedChatModel.text;
import static dev.agentreplay.springai.ScriptedChatModel.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonValue;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

class StreamRecordingTest {

  @TempDir
  Path sessions;

  private final Tools tools = new Tools();

  @Test
  void aStream_isRecordedWholeWithItsPieces_alsoOnOtherThreads() {
    AtomicReference<List<String>> pieces = new AtomicReference<>();
    Recorded recorded = Agents.record(
        sessions,
        calls -> pieces.set(Agents.client(
                calls,
                ScriptedChatModel.inTurn(
                    calling(tool("c1", "read", "{\"path\":\"a\"}")), "All is fine"))
            .defaultTools(tools)
            .build()
            .prompt("Review")
            .stream()
            .content()
            .subscribeOn(Schedulers.parallel())
            .publishOn(Schedulers.single())
            .collectList()
            .block()));

    assertThat(String.join("", pieces.get())).isEqualTo("All is fine");
    assertThat(recorded.kinds())
        .containsExactly(
            "ModelCall",
            "ModelResult",
            "ToolCall",
            "ToolResult",
            "ModelCall",
            "ModelResult",
            "SessionEnd");
    ModelResult answer = recorded.modelResults().get(1);
    assertThat(answer.answer().value()).isEqualTo(JsonValue.of("All is fine"));
    assertThat(answer.timing().chunks().size()).isEqualTo(3);
    assertThat(answer.tokens().input()).isEqualTo(7);
    assertThat(answer.finish().reason()).isEqualTo("STOP");
    assertThat(recorded.end().summary()).isEqualTo("All is fine");
  }

  @Test
  void aStreamIsCold_andEachSubscriptionIsACall() {
    try (SpringAiRecorder recorder = SpringAiRecorder.into(sessions)) {
      ScriptedChatModel model = ScriptedChatModel.inTurn("one", "two");
      ChatClient client = Agents.client(SpringAiCalls.to(recorder), model).build();
      Flux<String> stream = client.prompt("Go").stream().content();
      assertThat(model.calls()).isZero();
      assertThat(recorder.sessions()).isZero();

      assertThat(stream.collectList().block()).containsExactly("one");
      assertThat(stream.collectList().block()).containsExactly("two");
      assertThat(recorder.sessions()).isEqualTo(2);
    }
    assertThat(Recorded.all(sessions)).hasSize(2).allSatisfy(Recorded::isValid);
  }

  @Test
  void aStreamThatFails_isRecordedWithThePiecesThatArrived() {
    IllegalStateException thrown = new IllegalStateException("connection reset");
    Recorded recorded = Agents.record(sessions, calls -> assertThatThrownBy(
            () -> Agents.client(calls, broken(thrown)).build().prompt("Go").stream()
                .content()
                .blockLast())
        .isSameAs(thrown));

    ModelResult result = recorded.modelResults().get(0);
    assertThat(result.finish().error().message()).isEqualTo("connection reset");
    assertThat(result.answer().value()).isEqualTo(JsonValue.of("half an answer"));
    assertThat(result.timing().chunks().size()).isEqualTo(2);
    assertThat(recorded.end().status()).isEqualTo(Status.FAILED);
  }

  @Test
  void aStreamThatIsCancelled_isRecordedAsSuch() {
    Recorded recorded = Agents.record(
        sessions, calls -> assertThat(Agents.client(calls, unending()).build().prompt("Go").stream()
                .content()
                .take(2)
                .collectList()
                .block())
            .containsExactly("piece", "piece"));

    ModelResult result = recorded.modelResults().get(0);
    assertThat(result.finish().error().name()).isEqualTo(Failure.CANCELLED);
    assertThat(recorded.end().status()).isEqualTo(Status.CANCELLED);
  }

  @Test
  void aModelThatRefusesToStream_refusesAtOnce_asWithoutAWrapper() {
    try (SpringAiRecorder recorder = SpringAiRecorder.into(sessions)) {
      ChatModel model = SpringAiCalls.to(recorder).wrap((ChatModel) prompt -> text("no"));
      assertThatThrownBy(() -> model.stream(new Prompt("Go")))
          .isInstanceOf(UnsupportedOperationException.class);
    }
  }

  /** A model whose stream fails after two pieces. */
  static ChatModel broken(RuntimeException error) {
    return streaming(Flux.just(text("half an "), text("answer")).concatWith(Flux.error(error)));
  }

  /** A model whose stream does not end. */
  static ChatModel unending() {
    return streaming(Flux.generate(sink -> sink.next(text("piece"))));
  }

  private static ChatModel streaming(Flux<ChatResponse> stream) {
    ChatOptions options = ScriptedChatModel.inTurn("").getOptions();
    return new ChatModel() {
      @Override
      public ChatResponse call(Prompt prompt) {
        throw new UnsupportedOperationException();
      }

      @Override
      public Flux<ChatResponse> stream(Prompt prompt) {
        return stream;
      }

      @Override
      public ChatOptions getOptions() {
        return options;
      }
    };
  }
}
