package dev.agentreplay.springai;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import reactor.core.publisher.Sinks;

/** Calls of models that outlive the invocation or the recorder. */
class LateCallsTest {

  private static final Prompt PROMPT = new Prompt("hi");

  @TempDir
  Path sessions;

  @Test
  void aCallAfterTheEnd_isNeitherRecordedNorAFailure() {
    try (SpringAiRecorder recorder = SpringAiRecorder.into(sessions, Agents.BUFFERED)) {
      Invocation invocation =
          Objects.requireNonNull(recorder.begin(new InvocationStart(PROMPT, Map.of(), "")));
      invocation.completed(() -> "done");
      ScriptedChatModel model = ScriptedChatModel.inTurn("late", "later");

      assertThat(RecordedModelCall.text(Objects.requireNonNull(invocation.call(model, PROMPT))))
          .isEqualTo("late");
      List<ChatResponse> stream =
          invocation.stream(model, PROMPT, null).collectList().block();
      assertThat(stream).isNotEmpty();
      assertThat(recorder.failures()).isZero();
    }

    assertThat(Recorded.only(sessions).kinds()).containsExactly("SessionEnd");
  }

  @Test
  void aCallThatRunsWhenTheRecorderIsClosed_isNotAFailure() {
    SpringAiRecorder recorder = SpringAiRecorder.into(sessions, Agents.BUFFERED);
    Invocation invocation =
        Objects.requireNonNull(recorder.begin(new InvocationStart(PROMPT, Map.of(), "")));
    Sinks.Many<ChatResponse> answer = Sinks.many().unicast().onBackpressureBuffer();
    ScriptedChatModel model = ScriptedChatModel.inTurn("unused");
    invocation.stream(model, PROMPT, answer.asFlux()).subscribe();
    answer.tryEmitNext(ScriptedChatModel.text("a"));
    recorder.close();
    answer.tryEmitNext(ScriptedChatModel.text("b"));
    answer.tryEmitComplete();

    assertThat(recorder.failures()).isZero();
    assertThat(Recorded.all(sessions).get(0).kinds()).containsExactly("ModelCall");
  }
}
