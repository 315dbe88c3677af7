package dev.agentreplay.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.agent.RecordingFailure;
import dev.agentreplay.io.file.LogLockedException;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonString;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.TokenStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamRecordingTest {

  @TempDir
  Path sessions;

  private final List<RecordingFailure> failures = new CopyOnWriteArrayList<>();

  /** A service that streams. */
  interface StreamingAssistant {
    TokenStream chat(String message);
  }

  /** Returns its argument as text. */
  static final class Echo {
    @Tool
    String echo(int number) {
      return "echo of " + number;
    }
  }

  private AiServices<StreamingAssistant> builder(
      AiServiceRecorder recording, StreamingChatModel model) {
    return recording.record(
        AiServices.builder(StreamingAssistant.class).streamingChatModel(model).tools(new Echo()));
  }

  private AiServiceRecorder recorder() {
    return AiServiceRecorder.into(sessions).onFailure(failures::add);
  }

  private static String answer(TokenStream stream) throws Exception {
    CompletableFuture<String> answer = new CompletableFuture<>();
    stream
        .onCompleteResponse(response -> answer.complete(response.aiMessage().text()))
        .onError(answer::completeExceptionally)
        .start();
    return answer.get(60, TimeUnit.SECONDS);
  }

  @AfterEach
  void nothing_failed() {
    assertThat(failures).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void stream_is_recorded_as_its_complete_answers_and_tools(boolean concurrently) throws Exception {
    AiMessage calls = AiMessage.from(IntStream.range(0, 20)
        .mapToObj(i -> ScriptedModel.request("id-" + i, "echo", "{\"number\":" + i + "}"))
        .toList());
    try (AiServiceRecorder recording = recorder()) {
      AiServices<StreamingAssistant> builder =
          builder(recording, ScriptedStreamingModel.of(calls, AiMessage.from("all is done")));
      if (concurrently) {
        builder.executeToolsConcurrently();
      }
      assertThat(answer(builder.build().chat("go"))).isEqualTo("all is done");
    }

    Recorded recorded = Recorded.only(sessions).isValid();
    assertThat(recorded.modelResults()).hasSize(2).last().satisfies(result -> assertThat(
            result.answer().value())
        .isEqualTo(JsonString.of("all is done")));
    assertThat(recorded.toolResultsById()).hasSize(20).allSatisfy((id, result) -> {
      assertThat(result.output().value())
          .isEqualTo(JsonString.of("echo of " + id.substring("id-".length())));
      assertThat(result.outcome()).isEqualTo(Outcome.OK);
    });
    assertThat(recorded.end().status()).isEqualTo(Status.SUCCESS);
  }

  @Test
  void stream_that_fails_is_a_failed_session() {
    try (AiServiceRecorder recording = recorder()) {
      StreamingAssistant assistant = builder(recording, new ScriptedStreamingModel(request -> {
            throw new IllegalStateException("overloaded");
          }))
          .build();
      assertThatThrownBy(() -> answer(assistant.chat("go"))).hasMessageContaining("overloaded");
    }

    Recorded recorded = Recorded.only(sessions).isValid();
    assertThat(recorded.modelResults().get(0).finish())
        .isEqualTo(Completion.failed("java.lang.IllegalStateException", "overloaded"));
    assertThat(recorded.end().status()).isEqualTo(Status.FAILED);
  }

  @Test
  void pieces_of_a_stream_are_recorded_with_the_answer() throws Exception {
    AiMessage call = AiMessage.from(ScriptedModel.request("id-1", "echo", "{\"number\":1}"));
    try (AiServiceRecorder recording = recorder()) {
      StreamingChatModel model = recording.streaming(
          ScriptedStreamingModel.of(call, AiMessage.from("all is done \ud83d\ude00")));
      assertThat(answer(builder(recording, model).build().chat("go")))
          .isEqualTo("all is done \ud83d\ude00");
    }

    List<ModelResult> results = Recorded.only(sessions).isValid().modelResults();
    assertThat(results.get(0).timing().chunks()).isEqualTo(Chunks.NONE);
    Chunks chunks = results.get(1).timing().chunks();
    assertThat(IntStream.range(0, chunks.size()).mapToObj(chunks::length))
        .containsExactly(4, 3, 5, 1);
    assertThat(chunks.timeToFirstMillis()).isBetween(0L, results.get(1).latencyMillis());
  }

  @Test
  void stream_that_is_interrupted_has_the_text_so_far() {
    try (AiServiceRecorder recording = recorder()) {
      StreamingChatModel model = recording.streaming(new StreamingChatModel() {
        @Override
        public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
          handler.onPartialResponse("all ");
          handler.onPartialResponse("is");
          handler.onError(new IllegalStateException("reset", new IOException("by peer")));
        }
      });
      StreamingAssistant assistant = builder(recording, model).build();
      assertThatThrownBy(() -> answer(assistant.chat("go"))).hasMessageContaining("reset");
    }

    ModelResult result = Recorded.only(sessions).isValid().modelResults().get(0);
    assertThat(result.answer().value()).isEqualTo(JsonString.of("all is"));
    assertThat(result.timing().chunks().size()).isEqualTo(2);
    assertThat(result.finish().partial()).isTrue();
    assertThat(result.finish().error().causes())
        .containsExactly(Failure.of("java.io.IOException", "by peer"));
  }

  @Test
  void pieces_that_do_not_form_the_answer_are_left_out_and_reported() throws Exception {
    try (AiServiceRecorder recording = recorder()) {
      StreamingChatModel model = recording.streaming(new StreamingChatModel() {
        @Override
        public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
          handler.onPartialResponse("other ");
          handler.onCompleteResponse(ScriptedModel.response(AiMessage.from("done")));
        }
      });
      assertThat(answer(builder(recording, model).build().chat("go"))).isEqualTo("done");
    }

    assertThat(failures).singleElement().satisfies(failure -> assertThat(failure.cause())
        .hasMessageContaining("do not form the text of the answer"));
    failures.clear();
    ModelResult result = Recorded.only(sessions).isValid().modelResults().get(0);
    assertThat(result.answer().value()).isEqualTo(JsonString.of("done"));
    assertThat(result.timing().chunks()).isEqualTo(Chunks.NONE);
  }

  @Test
  void stream_of_an_unknown_request_is_passed_on_and_reported() throws Exception {
    try (AiServiceRecorder recording = recorder()) {
      CompletableFuture<String> answer = new CompletableFuture<>();
      recording
          .streaming(ScriptedStreamingModel.of(AiMessage.from("done")))
          .chat("go", new StreamingChatResponseHandler() {
            @Override
            public void onCompleteResponse(ChatResponse response) {
              answer.complete(response.aiMessage().text());
            }

            @Override
            public void onError(Throwable error) {
              answer.completeExceptionally(error);
            }
          });
      assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo("done");
    }
    assertThat(failures).singleElement().satisfies(failure -> assertThat(failure.cause())
        .hasMessage("the request of a stream is not known"));
    failures.clear();
  }

  @Test
  void stream_that_is_never_started_is_left_open() {
    try (AiServiceRecorder recording = recorder()) {
      builder(recording, ScriptedStreamingModel.of()).build().chat("go");
    }

    Recorded recorded = Recorded.only(sessions);
    assertThat(recorded.hasEnded()).isFalse();
    assertThat(recorded.start().task().text()).isEqualTo("go");
    assertThat(recorded.session().receipt()).isNull();
  }

  @Test
  @Timeout(60)
  void stream_that_nothing_refers_to_any_more_gives_its_session_up() throws Exception {
    try (AiServiceRecorder recording = recorder()) {
      builder(recording, ScriptedStreamingModel.of()).build().chat("go");

      assertThat(awaitClosed(Recorded.only(sessions).session().log().getParent()))
          .isTrue();
    }
    assertThat(Recorded.only(sessions).hasEnded()).isFalse();
  }

  /** Waits until the log has no writer. */
  static boolean awaitClosed(Path session) throws IOException {
    while (!Thread.interrupted()) {
      System.gc();
      try {
        SessionRecorder.resume(session, RecorderOptions.defaults()).close();
        return true;
      } catch (LogLockedException stillOpen) {
        Thread.onSpinWait();
      }
    }
    return false;
  }
}
