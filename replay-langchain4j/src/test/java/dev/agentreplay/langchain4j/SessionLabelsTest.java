package dev.agentreplay.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.Status;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.observability.api.listener.AiServiceListener;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.UserMessage;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The tags of a session, its summary, and services whose builder is not the caller's. */
class SessionLabelsTest {

  @TempDir
  Path sessions;

  /** A conversation whose memory belongs to a user. */
  interface Conversation {
    String say(@MemoryId Object user, @UserMessage String message);
  }

  /** Services whose results are not texts. */
  interface Structured {
    Result<String> result(String message);

    int number(String message);
  }

  static Stream<Arguments> memoryIds() {
    return Stream.of(
        Arguments.of("kim", "memory:kim"),
        Arguments.of(7, "memory:7"),
        Arguments.of("half \ud800", "memory:half \ufffd"),
        Arguments.of(List.of("a", 1), "memory:[\"a\",1]"));
  }

  @ParameterizedTest
  @MethodSource("memoryIds")
  void session_is_tagged_with_service_method_and_memory(Object user, String tag) throws Exception {
    try (AiServiceRecorder recording = AiServiceRecorder.into(sessions)) {
      recording
          .record(AiServices.builder(Conversation.class)
              .chatModel(ScriptedModel.of(AiMessage.from("done")))
              .chatMemoryProvider(id -> MessageWindowChatMemory.withMaxMessages(9)))
          .build()
          .say(user, "go");
      assertThat(recording.failures()).isZero();
    }

    assertThat(Recorded.only(sessions).isValid().start().labels().tags())
        .containsExactly("service:" + Conversation.class.getName(), "method:say", tag);
  }

  @Test
  void summary_is_the_final_answer() throws Exception {
    Recorded recorded = Recorded.chat(
        sessions,
        ScriptedModel.of(
            AiMessage.from(
                "I call it.",
                ScriptedModel.call("c", "echo", "{\"text\":\"x\"}").toolExecutionRequests()),
            AiMessage.from("It is done.\ud800")),
        builder -> builder.tools(new SessionRecordingTest.Echo()));
    assertThat(recorded.end().summary()).isEqualTo("It is done.\ufffd");
  }

  @Test
  void summary_of_a_long_answer_is_its_beginning() throws Exception {
    String answer = "x".repeat(1_999) + "\ud83d\ude00 and so on";
    Recorded recorded =
        Recorded.chat(sessions, ScriptedModel.of(AiMessage.from(answer)), builder -> builder);
    assertThat(recorded.end().summary()).isEqualTo("x".repeat(1_999) + "…");
  }

  @Test
  void summary_of_another_type_of_result_is_the_answer_of_the_model() throws Exception {
    try (AiServiceRecorder recording = AiServiceRecorder.into(sessions)) {
      Structured service = recording
          .record(AiServices.builder(Structured.class)
              .chatModel(ScriptedModel.of(AiMessage.from("12"), AiMessage.from("twelve"))))
          .build();
      assertThat(service.number("How many?")).isEqualTo(12);
      assertThat(service.result("How many?").content()).isEqualTo("twelve");
    }
    assertThat(Recorded.all(sessions))
        .extracting(recorded -> recorded.end().summary())
        .containsExactlyInAnyOrder("12", "twelve");
  }

  @Test
  void failed_session_has_no_summary() {
    assertThatThrownBy(() -> Recorded.chat(
        sessions,
        new ScriptedModel(request -> {
          throw new IllegalStateException("down");
        }),
        builder -> builder));
    Recorded recorded = Recorded.only(sessions);
    assertThat(recorded.end().status()).isEqualTo(Status.FAILED);
    assertThat(recorded.end().summary()).isNull();
  }

  @Test
  void listeners_record_a_service_whose_builder_belongs_to_a_framework() throws Exception {
    try (AiServiceRecorder recording = AiServiceRecorder.into(sessions)) {
      AiServices<Assistant> builder = AiServices.builder(Assistant.class)
          .chatModel(ScriptedModel.of(
              ScriptedModel.call("c", "echo", "{\"text\":\"x\"}"), AiMessage.from("done")))
          .tools(new SessionRecordingTest.Echo())
          .beforeToolExecution(recording.beforeToolExecution())
          .afterToolExecution(recording.afterToolExecution());
      for (AiServiceListener<?> listener : recording.listeners()) {
        builder.registerListener(listener);
      }
      builder.build().chat("go");
      assertThat(recording.failures()).isZero();
      assertThatThrownBy(() -> recording.listeners().clear())
          .isInstanceOf(UnsupportedOperationException.class);
    }
    assertThat(Recorded.only(sessions).isValid().kinds())
        .containsExactly(
            "ModelCall",
            "ModelResult",
            "ToolCall",
            "ToolResult",
            "ModelCall",
            "ModelResult",
            "SessionEnd");
  }
}
