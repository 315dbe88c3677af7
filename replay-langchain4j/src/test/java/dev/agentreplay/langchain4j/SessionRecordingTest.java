package dev.agentreplay.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.io.agent.RecordingFailure;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.SessionStart.Task;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonString;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.service.AiServices;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionRecordingTest {

  private static final int THREADS = 16;

  @TempDir
  Path sessions;

  private final List<RecordingFailure> failures = new ArrayList<>();

  /** Calls its tool with what it is asked, and says what the tool said. */
  private static AiMessage echo(ChatRequest request) {
    List<String> said = new ArrayList<>();
    request
        .messages()
        .forEach(message -> said.add(
            switch (message.type()) {
              case USER -> ((UserMessage) message).singleText();
              case TOOL_EXECUTION_RESULT ->
                ((dev.langchain4j.data.message.ToolExecutionResultMessage) message).text();
              default -> "";
            }));
    return said.size() == 1
        ? ScriptedModel.call("id", "echo", "{\"text\":\"" + said.get(0) + "\"}")
        : AiMessage.from(said.get(2));
  }

  /** Returns its argument as text. */
  static final class Echo {
    @Tool
    String echo(String text) {
      return "echo of " + text;
    }
  }

  private static Assistant echo(AiServiceRecorder recording) {
    return recording
        .record(AiServices.builder(Assistant.class)
            .chatModel(new ScriptedModel(SessionRecordingTest::echo))
            .tools(new Echo()))
        .build();
  }

  @Test
  void session_has_the_task_and_the_instructions_and_the_id_of_its_directory() throws Exception {
    try (AiServiceRecorder recording = AiServiceRecorder.into(sessions)) {
      recording
          .record(AiServices.builder(Assistant.class)
              .chatModel(ScriptedModel.of(AiMessage.from("done")))
              .systemMessage("Be brief.\ud800"))
          .build()
          .chat("go");
    }

    Recorded recorded = Recorded.only(sessions).isValid();
    assertThat(recorded.start().task()).isEqualTo(new Task("go", null, "Be brief.\ufffd"));
    assertThat(ExactText.of(recorded.start(), "/instructions")).isEqualTo("Be brief.\ud800");
    assertThat(recorded.session().log().getParent().getFileName().toString())
        .isEqualTo(recorded.session().id());
    assertThat(recorded.end().status()).isEqualTo(Status.SUCCESS);
  }

  @Test
  void invocations_at_the_same_time_are_sessions_of_their_own() throws Exception {
    try (AiServiceRecorder recording = AiServiceRecorder.into(sessions)) {
      chatAtOnce(echo(recording));
      assertThat(recording.failures()).isZero();
    }

    List<Recorded> all = Recorded.all(sessions);
    assertThat(all).hasSize(THREADS);
    Set<String> tasks = new HashSet<>();
    for (Recorded recorded : all) {
      String task = recorded.isValid().start().task().text();
      tasks.add(task);
      assertThat(recorded.kinds())
          .containsExactly(
              "ModelCall",
              "ModelResult",
              "ToolCall",
              "ToolResult",
              "ModelCall",
              "ModelResult",
              "SessionEnd");
      assertThat(recorded.toolResults().get(0).output().value())
          .isEqualTo(JsonString.of("echo of " + task));
    }
    assertThat(tasks).hasSize(THREADS);
  }

  @Test
  void invocations_at_the_same_time_in_one_session_share_no_ids() throws Exception {
    Path directory = sessions.resolve("one");
    try (SessionRecorder session = SessionRecorder.start(directory, "one")) {
      AiServiceRecorder recording = AiServiceRecorder.into(session);
      chatAtOnce(echo(recording));
      recording.close();
      assertThat(recording.failures()).isZero();
      session.end(Status.SUCCESS, 1.0);
    }

    Recorded recorded = Recorded.read(Session.open(directory)).isValid();
    assertThat(recorded.modelCalls())
        .hasSize(2 * THREADS)
        .extracting(ModelCall::id)
        .doesNotHaveDuplicates();
    assertThat(recorded.toolCalls()).hasSize(THREADS);
    assertThat(recorded.toolResults()).hasSize(THREADS);
  }

  private static void chatAtOnce(Assistant assistant) throws Exception {
    CountDownLatch ready = new CountDownLatch(THREADS);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<String>> answers = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        String message = "message " + i;
        answers.add(threads.submit(() -> {
          ready.countDown();
          ready.await();
          return assistant.chat(message);
        }));
      }
      for (int i = 0; i < THREADS; i++) {
        assertThat(answers.get(i).get()).isEqualTo("echo of message " + i);
      }
    } finally {
      threads.shutdown();
    }
  }

  /** A tool that is an agent. */
  record Delegate(Assistant to) {
    @Tool
    String echo(String text) {
      return to.chat(text);
    }
  }

  @Test
  void agent_that_is_a_tool_of_another_is_recorded_by_the_same_or_another_recorder()
      throws Exception {
    Path directory = sessions.resolve("one");
    try (SessionRecorder session = SessionRecorder.start(directory, "one")) {
      Assistant inner = echo(AiServiceRecorder.into(session).onFailure(failures::add));
      AiServiceRecorder recording = AiServiceRecorder.into(session).onFailure(failures::add);
      Assistant middle = delegating(recording, inner);
      Assistant outer = delegating(recording, middle);
      assertThat(outer.chat("hello")).isEqualTo("echo of hello");
      session.end(Status.SUCCESS, 1.0);
    }

    Recorded recorded = Recorded.read(Session.open(directory)).isValid();
    // all three use the id "id" at the same time
    assertThat(recorded.toolCalls())
        .extracting(ToolCall::id)
        .containsExactly("id", "call-1", "call-2");
    assertThat(recorded.toolResults())
        .extracting(ToolResult::id)
        .containsExactly("call-2", "call-1", "id");
    assertThat(recorded.modelCalls())
        .extracting(ModelCall::id)
        .doesNotHaveDuplicates()
        .hasSize(6);
    assertThat(recorded.lanes())
        .containsExactly(
            "ModelCall null null",
            "ModelResult null null",
            "ToolCall null null",
            "ModelCall Assistant id",
            "ModelResult Assistant id",
            "ToolCall Assistant id",
            "ModelCall Assistant/Assistant call-1",
            "ModelResult Assistant/Assistant call-1",
            "ToolCall Assistant/Assistant call-1",
            "ToolResult Assistant/Assistant call-1",
            "ModelCall Assistant/Assistant call-1",
            "ModelResult Assistant/Assistant call-1",
            "ToolResult Assistant id",
            "ModelCall Assistant id",
            "ModelResult Assistant id",
            "ToolResult null null",
            "ModelCall null null",
            "ModelResult null null",
            "SessionEnd null null");
    assertThat(failures).isEmpty();
  }

  private static Assistant delegating(AiServiceRecorder recording, Assistant to) {
    return recording
        .record(AiServices.builder(Assistant.class)
            .chatModel(new ScriptedModel(SessionRecordingTest::echo))
            .tools(new Delegate(to)))
        .build();
  }

  @Test
  void builder_that_is_recorded_twice_is_recorded_once() {
    try (AiServiceRecorder recording = AiServiceRecorder.into(sessions)) {
      AiServices<Assistant> builder =
          AiServices.builder(Assistant.class).chatModel(ScriptedModel.of(AiMessage.from("done")));
      recording.record(recording.record(builder)).build().chat("go");
      assertThat(recording.failures()).isZero();
    }
    assertThat(Recorded.only(sessions).kinds())
        .containsExactly("ModelCall", "ModelResult", "SessionEnd");
  }

  @Test
  void factory_names_the_session() throws IOException {
    SessionFactory byMethod = (event, start) -> SessionRecorder.start(
        sessions.resolve(event.invocationContext().methodName()),
        start.withLane("test"),
        RecorderOptions.defaults());
    try (AiServiceRecorder recording = AiServiceRecorder.of(byMethod)) {
      echo(recording).chat("hello");
    }
    assertThat(Recorded.read(Session.open(sessions.resolve("chat")))
            .isValid()
            .start()
            .lane())
        .isEqualTo("test");
  }

  @Test
  void invocation_is_not_recorded_after_closing_and_that_is_reported() {
    AiServiceRecorder recording = AiServiceRecorder.into(sessions).onFailure(failures::add);
    Assistant assistant = echo(recording);
    recording.close();

    assertThat(assistant.chat("hello")).isEqualTo("echo of hello");

    assertThat(Recorded.all(sessions)).isEmpty();
    assertThat(failures).extracting(RecordingFailure::event).startsWith("SessionStart");
    assertThat(failures.get(0).cause()).hasMessageContaining("closed");
    assertThat(recording.failures()).isEqualTo(failures.size());
  }

  @Test
  void error_that_comes_before_the_start_is_reported() {
    try (AiServiceRecorder recording = AiServiceRecorder.into(sessions).onFailure(failures::add)) {
      Assistant assistant = recording
          .record(AiServices.builder(Assistant.class)
              .chatModel(ScriptedModel.of())
              .systemMessageProvider(memoryId -> {
                throw new IllegalStateException("no system message");
              }))
          .build();
      assertThatThrownBy(() -> assistant.chat("hello")).hasMessage("no system message");
    }
    assertThat(failures).hasSize(1);
    assertThat(failures.get(0).cause()).hasRootCauseMessage("no system message");
  }

  @Test
  void runs_of_a_deterministic_agent_are_identical_without_rules() throws Exception {
    try (AiServiceRecorder recording = AiServiceRecorder.into(sessions)) {
      Assistant assistant = echo(recording);
      assistant.chat("hello");
      assistant.chat("hello");
    }
    List<Recorded> runs = Recorded.all(sessions);
    assertThat(SessionDiff.between(runs.get(0).session(), runs.get(1).session()).divergences())
        .isEmpty();
  }
}
