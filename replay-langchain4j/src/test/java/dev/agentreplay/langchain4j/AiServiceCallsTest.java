package dev.agentreplay.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolResult;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.observability.api.event.AiServiceCompletedEvent;
import dev.langchain4j.observability.api.event.AiServiceStartedEvent;
import java.io.FileNotFoundException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Services that a framework implements itself are recorded and replayed. */
class AiServiceCallsTest {

  private static final AiMessage READ = ScriptedModel.call("a", "read", "{\"path\": \"x\"}");
  private static final AiMessage WRITE = ScriptedModel.call("b", "write", "{\"path\": \"x\"}");
  private static final AiMessage DONE = AiMessage.from("done");

  @TempDir
  private Path sessions;

  private final List<String> executed = new ArrayList<>();

  private String run(ToolExecutionRequest request) {
    executed.add(request.name());
    return "content of x";
  }

  private String fail(ToolExecutionRequest request) {
    executed.add(request.name());
    throw new UncheckedIOException(new FileNotFoundException("no " + request.name()));
  }

  /** A model with a name, which its requests do not state. */
  private static ChatModel named(AiMessage... answers) {
    ScriptedModel model = ScriptedModel.of(answers);
    return new ChatModel() {
      @Override
      public ChatResponse doChat(ChatRequest request) {
        return model.doChat(request);
      }

      @Override
      public ChatRequestParameters defaultRequestParameters() {
        return ChatRequestParameters.builder()
            .modelName("gpt-5")
            .temperature(0.5)
            .build();
      }
    };
  }

  private Recorded recorded() {
    try (AiServiceRecorder recorder = AiServiceRecorder.into(sessions)) {
      AiServiceCalls calls = AiServiceCalls.to(recorder);
      assertThat(FrameworkService.of(calls, named(READ, WRITE, DONE), this::run).chat("go"))
          .isEqualTo("done");
      assertThat(recorder.failures()).isZero();
    }
    return Recorded.only(sessions).isValid();
  }

  private static ReplayReport replay(Session session, Assistant service, AiServiceCalls calls)
      throws Exception {
    return Replay.of(session)
        .mode(ReplayMode.MOCK)
        .run(scope -> calls.replay(AiServiceReplayer.of(scope), () -> service.chat("go")));
  }

  @Test
  void all_calls_are_recorded_once() {
    Recorded recorded = recorded();

    assertThat(recorded.kinds())
        .containsExactly(
            "ModelCall",
            "ModelResult",
            "ToolCall",
            "ToolResult",
            "ModelCall",
            "ModelResult",
            "ToolCall",
            "ToolResult",
            "ModelCall",
            "ModelResult",
            "SessionEnd");
    assertThat(recorded.all(ModelCall.class))
        .allSatisfy(call -> assertThat(call.model()).isEqualTo("gpt-5"))
        .allSatisfy(call -> assertThat(call.parameters().temperature()).isEqualTo(0.5));
    assertThat(recorded.all(SessionEnd.class))
        .singleElement()
        .satisfies(end -> assertThat(end.summary()).isEqualTo("done"));
  }

  @Test
  void recorded_calls_are_served() throws Exception {
    Session session = recorded().session();
    executed.clear();
    AiServiceCalls calls = AiServiceCalls.unrecorded();

    ReplayReport report = replay(session, FrameworkService.of(calls, named(), this::run), calls);

    assertThat(report.isIdentical()).as("%s", report.divergences()).isTrue();
    assertThat(report.exchanges().served()).isEqualTo(5);
    assertThat(executed).isEmpty();
  }

  @Test
  void changed_request_is_found() throws Exception {
    Session session = recorded().session();
    AiServiceCalls calls = AiServiceCalls.unrecorded();
    FrameworkService service = FrameworkService.of(calls, named(), this::run);

    ReplayReport report = replay(session, message -> service.chat("stop"), calls);

    assertThat(report.isIdentical()).isFalse();
    assertThat(report.root().miss().kind()).isEqualTo(MissKind.DIVERGED);
  }

  @Test
  void exception_of_a_tool_is_recorded_and_thrown_again() throws Exception {
    try (AiServiceRecorder recorder = AiServiceRecorder.into(sessions)) {
      AiServiceCalls calls = AiServiceCalls.to(recorder);
      FrameworkService.of(calls, named(READ, DONE), this::fail).chat("go");
      assertThat(recorder.failures()).isZero();
    }
    Recorded recorded = Recorded.only(sessions).isValid();
    ToolResult result = recorded.all(ToolResult.class).get(0);
    assertThat(result.outcome().succeeded()).isFalse();
    assertThat(result.outcome().error().name()).isEqualTo(UncheckedIOException.class.getName());
    executed.clear();

    AiServiceCalls calls = AiServiceCalls.unrecorded();
    ReplayReport report =
        replay(recorded.session(), FrameworkService.of(calls, named(), this::run), calls);

    assertThat(report.isIdentical()).as("%s", report.divergences()).isTrue();
    assertThat(executed).isEmpty();
  }

  @Test
  void exception_of_the_model_ends_the_session() {
    try (AiServiceRecorder recorder = AiServiceRecorder.into(sessions)) {
      AiServiceCalls calls = AiServiceCalls.to(recorder);
      ChatModel model = new ScriptedModel(request -> {
        throw new IllegalStateException("overloaded");
      });
      Assistant service = FrameworkService.of(calls, model, this::run);
      assertThatThrownBy(() -> service.chat("go")).hasMessage("overloaded");
      assertThat(recorder.failures()).isZero();
    }
    Recorded recorded = Recorded.only(sessions).isValid();
    assertThat(recorded.kinds()).containsExactly("ModelCall", "ModelResult", "SessionEnd");
    assertThat(recorded.all(SessionEnd.class))
        .singleElement()
        .satisfies(end -> assertThat(end.status()).isEqualTo(Status.FAILED));
  }

  @Test
  void service_that_a_tool_invokes_is_a_session_of_its_own() {
    try (AiServiceRecorder recorder = AiServiceRecorder.into(sessions)) {
      AiServiceCalls calls = AiServiceCalls.to(recorder);
      Assistant inner = FrameworkService.of(calls, named(AiMessage.from("inner")), this::run);
      Assistant outer =
          FrameworkService.of(calls, named(READ, DONE), request -> inner.chat("read it"));
      assertThat(outer.chat("go")).isEqualTo("done");
      assertThat(recorder.failures()).isZero();
    }
    assertThat(Recorded.all(sessions))
        .extracting(recorded -> recorded.isValid().all(ModelCall.class).size())
        .containsExactlyInAnyOrder(1, 2);
    assertThat(Recorded.all(sessions))
        .filteredOn(recorded -> recorded.start().labels().tags().contains("parent_call:a"))
        .singleElement()
        .satisfies(inner -> assertThat(inner.modelCalls()).hasSize(1));
  }

  @Test
  void model_call_outside_of_an_invocation_is_not_recorded() {
    try (AiServiceRecorder recorder = AiServiceRecorder.into(sessions)) {
      AiServiceCalls calls = AiServiceCalls.to(recorder);
      // its end is reported in a different thread
      new FrameworkService(calls, calls.wrap(named(DONE)), this::run, event -> {
            if (event instanceof AiServiceCompletedEvent) {
              CompletableFuture.runAsync(() -> calls.on(event)).join();
            } else {
              calls.on(event);
            }
          })
          .chat("go");

      calls
          .wrap(named(DONE))
          .chat(ChatRequest.builder().messages(UserMessage.from("go")).build());
      assertThat(recorder.failures()).isZero();
    }
    assertThat(Recorded.only(sessions).isValid().kinds())
        .containsExactly("ModelCall", "ModelResult", "SessionEnd");
  }

  @Test
  void calls_that_are_not_recorded_are_executed() {
    Assistant service =
        FrameworkService.of(AiServiceCalls.unrecorded(), named(READ, DONE), this::run);

    assertThat(service.chat("go")).isEqualTo("done");
    assertThat(executed).containsExactly("read");
  }

  @Test
  void model_is_wrapped_once() {
    AiServiceCalls calls = AiServiceCalls.unrecorded();
    ChatModel model = calls.wrap(named());

    assertThat(calls.wrap(model)).isSameAs(model);
    assertThat(AiServiceCalls.unrecorded().wrap(model)).isNotSameAs(model);
    assertThat(model.defaultRequestParameters().modelName()).isEqualTo("gpt-5");
  }

  @Test
  @Timeout(60)
  void invocation_that_an_error_ends_is_left() throws Exception {
    try (AiServiceRecorder recorder = AiServiceRecorder.into(sessions)) {
      AiServiceCalls calls = AiServiceCalls.to(recorder);
      ChatModel broken = new ScriptedModel(request -> {
        throw new AssertionError("broken");
      });
      assertThatThrownBy(() -> FrameworkService.of(calls, broken, this::run).chat("go"))
          .isInstanceOf(AssertionError.class);
      // closing a recorder would close the session, too
      assertThat(StreamRecordingTest.awaitClosed(
              Recorded.only(sessions).session().log().getParent()))
          .isTrue();

      calls
          .wrap(named(DONE))
          .chat(ChatRequest.builder().messages(UserMessage.from("go")).build());
      assertThat(recorder.failures()).isZero();
    }
    assertThat(Recorded.only(sessions).kinds()).startsWith("ModelCall").doesNotHaveDuplicates();
  }

  @Test
  void exception_of_a_tool_whose_call_was_not_recorded_leaves_a_gap() {
    RecorderOptions options = RecorderOptions.defaults()
        .withWriter(WriterOptions.defaults().withDialect(Dialect.DRAFT)); // has no blobs of params
    try (AiServiceRecorder recorder =
        AiServiceRecorder.into(sessions, options).onFailure(failure -> {})) {
      AiServiceCalls calls = AiServiceCalls.to(recorder);
      InvocationContext context = InvocationContext.builder()
          .invocationId(UUID.randomUUID())
          .interfaceName("com.example.Assistant")
          .methodName("chat")
          .timestamp(Instant.EPOCH)
          .build();
      calls.on(AiServiceStartedEvent.builder()
          .invocationContext(context)
          .userMessage(UserMessage.from("go"))
          .build());
      String tooLong = "x".repeat(JsonLimits.defaults().maxBytes());
      assertThatThrownBy(() ->
              calls.call(ScriptedModel.request("a", "read", tooLong), context, (request, at) -> {
                throw new IllegalArgumentException("too long");
              }))
          .hasMessage("too long");
      calls.on(AiServiceCompletedEvent.builder()
          .invocationContext(context)
          .result("done")
          .build());
    }
    Recorded recorded = Recorded.only(sessions).isValid();
    assertThat(recorded.kinds()).containsExactly("RecordingGap", "RecordingGap", "SessionEnd");
    assertThat(recorded.all(RecordingGap.class).get(1).reason())
        .isEqualTo("ToolResult: its call was not recorded");
  }
}
