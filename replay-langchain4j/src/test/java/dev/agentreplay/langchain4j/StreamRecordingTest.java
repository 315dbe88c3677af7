package dev.agentreplay.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.file.LogLockedException;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonString;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
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
  private static boolean awaitClosed(Path session) throws IOException {
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
