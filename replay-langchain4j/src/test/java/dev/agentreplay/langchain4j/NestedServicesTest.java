package dev.agentreplay.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.policy.ReplayAction;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Status;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Services of a framework that are invoked by tools of other services are replayed. */
class NestedServicesTest {

  @TempDir
  private Path directory;

  private final List<String> executed = new CopyOnWriteArrayList<>();

  /** Invokes a service whose tool invokes a second service. */
  private void run(AiServiceCalls calls) {
    Assistant inner =
        FrameworkService.of(calls, model("inner", AiMessage.from("found")), request -> "no tool");
    AiMessage ask = ScriptedModel.call("a", "ask", "{\"topic\": \"x\"}");
    Assistant outer =
        FrameworkService.of(calls, model("outer", ask, AiMessage.from("done")), request -> {
          executed.add("ask");
          return inner.chat("look for x");
        });
    assertThat(outer.chat("go")).isEqualTo("done");
  }

  private ScriptedModel model(String name, AiMessage... answers) {
    Function<ChatRequest, AiMessage> script = ScriptedModel.inTurn(answers);
    return new ScriptedModel(request -> {
      executed.add(name);
      return script.apply(request);
    });
  }

  private Session recorded() throws Exception {
    Path place = directory.resolve("recorded");
    try (SessionRecorder session = SessionRecorder.start(place, "s")) {
      AiServiceRecorder recorder = AiServiceRecorder.into(session);
      run(AiServiceCalls.to(recorder));
      session.end(Status.SUCCESS, 1.0);
      assertThat(recorder.failures()).isZero();
    }
    Recorded recorded = Recorded.read(Session.open(place)).isValid();
    assertThat(recorded.modelCalls())
        .extracting(call -> call.meta().agent())
        .containsExactly(null, "Assistant", null);
    assertThat(executed).containsExactly("outer", "ask", "inner", "outer");
    executed.clear();
    return Session.open(place);
  }

  static Stream<ReplayPolicy> policies() {
    return Stream.of(
        ReplayPolicy.of(ReplayMode.MOCK).withTool("ask", ReplayAction.EXECUTE),
        ReplayPolicy.of(ReplayMode.TOOLS_LIVE).withTool("ask", ReplayAction.EXECUTE));
  }

  @ParameterizedTest
  @MethodSource("policies")
  void service_that_an_executed_tool_invokes_is_replayed(ReplayPolicy policy) throws Exception {
    Session session = recorded();
    Path others = directory.resolve("others");

    try (AiServiceRecorder recorder = AiServiceRecorder.into(others)) {
      AiServiceCalls calls = AiServiceCalls.to(recorder);
      ReplayReport report = Replay.of(session).policy(policy).run(scope -> {
        calls.replay(AiServiceReplayer.ofShared(scope), () -> {
          run(calls);
          return null;
        });
        scope.end(Recorded.read(session).end());
      });
      Instruments.assertIdentical(report);
    }

    assertThat(executed).containsExactly("ask");
    assertThat(others).doesNotExist();
  }
}
