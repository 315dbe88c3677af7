package dev.agentreplay.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.agent.GuardedSession;
import dev.agentreplay.io.agent.RecordingFailure;
import dev.agentreplay.io.agent.RecordingFailures;
import dev.agentreplay.io.recording.FailingDisk;
import dev.agentreplay.io.recording.FailurePolicy;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonString;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.ToolExecution;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** If recording fails in any way, the agent behaves as without a recorder. */
class FailingRecordingTest {

  private static final Logger LOGGER = Logger.getLogger("dev.agentreplay");
  private static final int ALL = Integer.MAX_VALUE;

  @TempDir
  Path directory;

  private final List<RecordingFailure> failures = new ArrayList<>();
  private final List<LogRecord> logged = new ArrayList<>();
  private final Handler handler = new Handler() {
    @Override
    public void publish(LogRecord entry) {
      logged.add(entry);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  };

  @BeforeEach
  void capture() {
    LOGGER.addHandler(handler);
    LOGGER.setUseParentHandlers(false);
  }

  @AfterEach
  void release() {
    LOGGER.removeHandler(handler);
    LOGGER.setUseParentHandlers(true);
  }

  /** An agent with two calls of a tool, in turn; what it does is in a list. */
  private static List<String> run(AiServiceRecorder recording, ToolExecutionRequest... calls) {
    List<String> done = new ArrayList<>();
    AiServices<Assistant> builder = AiServices.builder(Assistant.class)
        .chatModel(new ScriptedModel(request -> {
          int turn = (request.messages().size() - 1) / 2;
          done.add("prompt of " + request.messages().size());
          return turn < calls.length ? AiMessage.from(calls[turn]) : AiMessage.from("done");
        }))
        .tools(Map.of(ToolSpecification.builder().name("tool").build(), (request, memoryId) -> {
          done.add("tool " + request.arguments());
          return "out of " + request.arguments();
        }));
    done.add(recording.record(builder).build().chat("go"));
    return done;
  }

  private static List<String> run(AiServiceRecorder recording) {
    return run(
        recording,
        ScriptedModel.request("a1", "tool", "1"),
        ScriptedModel.request("a2", "tool", "2"));
  }

  private static final List<String> UNRECORDED =
      List.of("prompt of 1", "tool 1", "prompt of 3", "tool 2", "prompt of 5", "done");

  private AiServiceRecorder recorder(FailingDisk disk, Path session, FailurePolicy policy) {
    RecorderOptions options = RecorderOptions.defaults().withFailurePolicy(policy);
    return AiServiceRecorder.of((event, start) -> disk.start(session, start, options))
        .onFailure(failures::add);
  }

  @ParameterizedTest
  @EnumSource
  void disk_that_fails_at_any_write_changes_nothing_for_the_agent(FailurePolicy policy)
      throws IOException {
    FailingDisk sound = new FailingDisk(ALL, ALL);
    try (AiServiceRecorder recording = recorder(sound, directory.resolve("sound"), policy)) {
      assertThat(run(recording)).isEqualTo(UNRECORDED);
    }
    assertThat(failures).isEmpty();
    assertThat(sound.writes()).isGreaterThan(10);

    for (int write = 0; write < sound.writes(); write++) {
      for (int to : new int[] {write + 1, ALL}) {
        failures.clear();
        Path session = directory.resolve(write + "-" + to);
        try (AiServiceRecorder recording = recorder(new FailingDisk(write, to), session, policy)) {
          assertThat(run(recording)).as("write %d", write).isEqualTo(UNRECORDED);
          assertThat(recording.failures()).isEqualTo(failures.size());
        }
        assertThat(failures).as("write %d", write).isNotEmpty();
        assertThat(failures.get(0).cause()).isInstanceOf(IOException.class);
        if (Files.exists(session.resolve("REPLAY.jsonl"))) {
          assertIsHonest(policy, session, to == ALL);
        }
      }
    }
  }

  /** A session of which something is missing does not pass for a complete one. */
  private void assertIsHonest(FailurePolicy policy, Path session, boolean forGood)
      throws IOException {
    Recorded recorded = Recorded.read(Session.open(session));
    if (policy == FailurePolicy.FAIL || forGood) {
      assertThat(recorded.hasEnded() && recorded.session().receipt() != null).isFalse();
    } else if (recorded.hasEnded() && recorded.session().receipt() != null) {
      Recorded sound = Recorded.read(Session.open(directory.resolve("sound")));
      if (!recorded.isValid().kinds().equals(sound.kinds())) {
        assertThat(recorded.all(RecordingGap.class)).hasSize(1);
      }
    }
  }

  @Test
  void session_that_fails_is_recorded_up_to_there_and_reported_once() throws IOException {
    Path session = directory.resolve("s");
    // header, start, model call, model result, tool call
    try (AiServiceRecorder recording =
        recorder(new FailingDisk(4, ALL), session, FailurePolicy.FAIL)) {
      assertThat(run(recording)).isEqualTo(UNRECORDED);
    }

    Recorded recorded = Recorded.read(Session.open(session));
    assertThat(recorded.kinds()).containsExactly("ModelCall", "ModelResult");
    assertThat(failures).hasSize(1);
    RecordingFailure failure = failures.get(0);
    assertThat(failure.session()).isEqualTo(session.toString());
    assertThat(failure.event()).isEqualTo("ToolCall");
    assertThat(failure.cause()).hasMessageContaining("REPLAY.jsonl");
  }

  @Test
  void session_that_continues_degraded_is_reported_at_its_end() throws IOException {
    Path session = directory.resolve("s");
    try (AiServiceRecorder recording =
        recorder(new FailingDisk(4, 5), session, FailurePolicy.DEGRADE)) {
      assertThat(run(recording)).isEqualTo(UNRECORDED);
    }

    Recorded recorded = Recorded.read(Session.open(session)).isValid();
    assertThat(recorded.toolCalls()).extracting(ToolCall::id).containsExactly("a2");
    assertThat(recorded.all(RecordingGap.class))
        .extracting(RecordingGap::events)
        .containsExactly(2L);
    assertThat(failures).extracting(RecordingFailure::event).containsExactly("2 events");
  }

  @Test
  void directory_that_cannot_be_made_is_logged_once() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");
    try (AiServiceRecorder recording = AiServiceRecorder.into(file)) {
      assertThat(run(recording)).isEqualTo(UNRECORDED);
      assertThat(recording.failures()).isEqualTo(1);
    }
    assertThat(logged).hasSize(1);
    assertThat(logged.get(0).getMessage()).contains("SessionStart was not recorded");
    assertThat(logged.get(0).getThrown()).isInstanceOf(IOException.class);
  }

  @Test
  void factory_that_throws_or_returns_nothing_changes_nothing_for_the_agent() {
    try (AiServiceRecorder recording = AiServiceRecorder.of((event, start) -> {
      throw new StackOverflowError("deep");
    })) {
      assertThat(run(recording.onFailure(failures::add))).isEqualTo(UNRECORDED);
    }
    try (AiServiceRecorder recording = AiServiceRecorder.of((event, start) -> null)) {
      assertThat(run(recording.onFailure(failures::add))).isEqualTo(UNRECORDED);
    }
    assertThat(failures)
        .extracting(failure -> failure.cause().getClass().getSimpleName())
        .containsExactly("StackOverflowError", "NullPointerException");
  }

  @Test
  void listener_that_throws_changes_nothing_for_the_agent_and_is_logged() {
    try (AiServiceRecorder recording = AiServiceRecorder.of((event, start) -> {
      throw new IOException("no disk");
    })) {
      recording.onFailure(failure -> {
        throw new AssertionError("no listener");
      });
      assertThat(run(recording)).isEqualTo(UNRECORDED);
    }
    assertThat(logged).hasSize(1);
    assertThat(logged.get(0).getThrown()).hasMessage("no disk");
    assertThat(logged.get(0).getThrown().getSuppressed()).hasSize(1);
  }

  @Test
  void session_that_the_caller_has_ended_changes_nothing_for_the_agent() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory.resolve("s"), "s")) {
      session.end(Status.SUCCESS, 1.0);
      AiServiceRecorder recording = AiServiceRecorder.into(session).onFailure(failures::add);
      assertThat(run(recording)).isEqualTo(UNRECORDED);
    }
    assertThat(failures).hasSize(1);
    assertThat(failures.get(0).cause()).hasMessageContaining("has ended");
  }

  @Test
  void arguments_that_are_too_long_leave_gaps_for_call_and_result() throws IOException {
    String arguments = "x".repeat(JsonLimits.defaults().maxBytes());
    Path session = directory.resolve("s");
    RecorderOptions options = RecorderOptions.defaults()
        .withWriter(WriterOptions.defaults().withDialect(Dialect.DRAFT)); // has no blobs of params
    try (SessionRecorder recorder = SessionRecorder.start(session, SessionStart.of("s"), options)) {
      RecordedInvocation invocation = new RecordedInvocation(
          GuardedSession.of(recorder, new RecordingFailures("dev.agentreplay.langchain4j")));
      ToolExecutionRequest tooLong = ScriptedModel.request("a1", "tool", arguments);
      InvocationContext context =
          InvocationContext.builder().invocationId(UUID.randomUUID()).build();
      invocation.beforeToolExecution(tooLong);
      invocation.afterToolExecution(ToolExecution.builder()
          .request(tooLong)
          .result(ToolExecutionResult.builder().resultText("out").build())
          .invocationContext(context)
          .build());
      recorder.end(Status.SUCCESS, 1.0);
    }
    assertThat(Recorded.read(Session.open(session)).isValid().kinds())
        .containsExactly("RecordingGap", "RecordingGap", "SessionEnd");
  }

  /** A value with neither JSON nor text. */
  private static final class Unspeakable {
    @Override
    public String toString() {
      throw new IllegalStateException("no text");
    }
  }

  @Test
  void message_that_cannot_be_had_leaves_gaps_for_the_call_and_its_result() {
    UserMessage message = UserMessage.builder()
        .contents(List.of(TextContent.from("go")))
        .attributes(Map.of("a", new Unspeakable()))
        .build();
    Path sessions = directory.resolve("sessions");
    try (AiServiceRecorder recording = AiServiceRecorder.into(sessions).onFailure(failures::add)) {
      AiServices<Assistant> builder = AiServices.builder(Assistant.class)
          .chatModel(ScriptedModel.of(AiMessage.from("done")))
          .chatRequestTransformer(
              request -> request.toBuilder().messages(message).build());
      assertThat(recording.record(builder).build().chat("go")).isEqualTo("done");
    }

    Recorded recorded = Recorded.only(sessions).isValid();
    assertThat(recorded.kinds()).containsExactly("RecordingGap", "RecordingGap", "SessionEnd");
    assertThat(recorded.all(RecordingGap.class).get(0).reason()).contains("ModelCall", "no text");
    assertThat(recorded.all(RecordingGap.class).get(1).reason()).contains("ModelResult");
    assertThat(failures).extracting(RecordingFailure::event).containsExactly("ModelCall");
  }

  @Test
  void message_that_contains_itself_changes_nothing_for_the_agent() {
    Map<String, Object> itself = new HashMap<>();
    itself.put("itself", Map.of("again", itself));
    AiMessage answer =
        AiMessage.builder().text("done").attributes(Map.of("a", itself)).build();
    Path sessions = directory.resolve("sessions");
    try (AiServiceRecorder recording = AiServiceRecorder.into(sessions).onFailure(failures::add)) {
      AiServices<Assistant> builder =
          AiServices.builder(Assistant.class).chatModel(ScriptedModel.of(answer));
      assertThat(recording.record(builder).build().chat("go")).isEqualTo("done");
    }

    assertThat(Recorded.only(sessions).isValid().kinds())
        .containsExactly("ModelCall", "RecordingGap", "SessionEnd");
    assertThat(failures).extracting(RecordingFailure::event).containsExactly("ModelResult");
  }

  @Test
  void lack_of_memory_for_recording_does_not_affect_the_agent() {
    try (AiServiceRecorder recording = AiServiceRecorder.of((event, start) -> {
      throw new OutOfMemoryError("too large");
    })) {
      assertThat(run(recording.onFailure(failures::add))).isEqualTo(UNRECORDED);
    }
    assertThat(failures).hasSize(1);
    assertThat(failures.get(0).cause()).hasMessage("too large");
  }

  @Test
  void result_whose_text_cannot_be_had_fails_as_it_does_unrecorded() {
    Path sessions = directory.resolve("sessions");
    ToolExecutor executor = new ToolExecutor() {
      @Override
      public String execute(ToolExecutionRequest request, Object memoryId) {
        throw new UnsupportedOperationException();
      }

      @Override
      public ToolExecutionResult executeWithContext(
          ToolExecutionRequest request, InvocationContext context) {
        return ToolExecutionResult.builder()
            .resultTextSupplier(() -> {
              throw new IllegalStateException("no text");
            })
            .build();
      }
    };
    try (AiServiceRecorder recording = AiServiceRecorder.into(sessions).onFailure(failures::add)) {
      Assistant assistant = recording
          .record(AiServices.builder(Assistant.class)
              .chatModel(ScriptedModel.of(ScriptedModel.call("a1", "tool", "{}")))
              .tools(Map.of(ToolSpecification.builder().name("tool").build(), executor)))
          .build();
      assertThatThrownBy(() -> assistant.chat("go")).hasMessage("no text");
    }

    Recorded recorded = Recorded.only(sessions).isValid();
    assertThat(recorded.toolResults().get(0).output().value()).isEqualTo(JsonString.of("no text"));
    assertThat(recorded.toolResults().get(0).outcome().ok()).isFalse();
  }

  @Test
  void listener_that_throws_the_failure_itself_changes_nothing_for_the_agent() {
    try (AiServiceRecorder recording = AiServiceRecorder.of((event, start) -> {
      throw new IllegalStateException("no disk");
    })) {
      recording.onFailure(failure -> {
        throw (IllegalStateException) failure.cause();
      });
      assertThat(run(recording)).isEqualTo(UNRECORDED);
    }
    assertThat(logged).hasSize(1);
  }

  @Test
  void result_that_comes_when_the_session_was_closed_is_reported() {
    Path sessions = directory.resolve("sessions");
    RecordingFailures log = new RecordingFailures("dev.agentreplay.langchain4j");
    log.listen(failures::add);
    GuardedSession session =
        GuardedSession.start("s", () -> SessionRecorder.start(sessions.resolve("s"), "s"), log);
    RecordedInvocation invocation = new RecordedInvocation(session);
    ToolExecutionRequest request = ScriptedModel.request("a1", "tool", "1");
    invocation.beforeToolExecution(request);
    invocation.close();

    invocation.toolExecuted(request, List.of(TextContent.from("late")));

    assertThat(failures).extracting(RecordingFailure::event).containsExactly("ToolResult");
  }
}
