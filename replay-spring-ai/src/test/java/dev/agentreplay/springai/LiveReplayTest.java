package dev.agentreplay.springai;

import static dev.agentreplay.springai.Agents.assertIdentical;
import static dev.agentreplay.springai.ScriptedChatModel.calling;
import static dev.agentreplay.springai.ScriptedChatModel.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkPoint;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayAction;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.model.tool.ToolCallLimitBehavior;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;

class LiveReplayTest {

  @TempDir
  Path sessions;

  private final Tools tools = new Tools();

  private final Supplier<ScriptedChatModel> models = () -> ScriptedChatModel.inTurn(
      calling(
          tool("c1", "read", "{\"path\":\"a\"}"),
          tool("c2", "broken", "{\"path\":\"b\"}"),
          tool("c3", "read", "{\"path\":\"c\"}")),
      "All is fine");

  private Agents.Agent agent(ScriptedChatModel model, boolean isStreamed) {
    return calls -> {
      ChatClient client = Agents.client(
              calls,
              model,
              ToolCallingManager.builder()
                  .maxCallsPerTool(1)
                  .onLimitExceeded(ToolCallLimitBehavior.RETURN_ERROR_RESPONSE)
                  .build())
          .defaultTools(tools)
          .build();
      String answer = isStreamed
          ? String.join("", client.prompt("Go").stream().content().collectList().block())
          : client.prompt("Go").call().content();
      assertThat(answer).isEqualTo("All is fine");
    };
  }

  /** A policy that executes tools, because they change nothing. */
  private static ReplayPolicy pure(ReplayMode mode) {
    return ReplayPolicy.of(mode).withEffect("read", Effect.PURE).withEffect("broken", Effect.PURE);
  }

  @ParameterizedTest
  @CsvSource({
    "MOCK,false,0,0",
    "TOOLS_LIVE,false,0,2",
    "MODEL_LIVE,false,2,0",
    "FULL,false,2,2",
    "FULL,true,2,2"
  })
  void anUnchangedAgent_isIdentical_andRunsOnlyWhatTheModeSays(
      ReplayMode mode, boolean isStreamed, int modelCalls, int toolCalls) throws Exception {
    Recorded recorded = Agents.record(sessions, agent(models.get(), isStreamed));
    tools.take();
    ScriptedChatModel model = models.get();
    ReplayReport report = Agents.replay(recorded.session(), pure(mode), agent(model, isStreamed));
    assertIdentical(report);
    assertThat(model.calls()).isEqualTo(modelCalls);
    assertThat(tools.take()).hasSize(toolCalls);
  }

  @Test
  void aModelThatAnswersDifferently_isFound() throws Exception {
    Recorded recorded = Agents.record(sessions, agent(models.get(), false));
    ScriptedChatModel other = ScriptedChatModel.inTurn("Something else");
    AtomicReference<String> answer = new AtomicReference<>();
    ReplayReport report = Agents.replay(
        recorded.session(),
        ReplayPolicy.of(ReplayMode.MODEL_LIVE),
        calls -> answer.set(Agents.client(calls, other)
            .defaultTools(tools)
            .build()
            .prompt("Go")
            .call()
            .content()));
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(answer.get()).isEqualTo("Something else");
  }

  @Test
  void theScopeOfARecording_recordsTheSameForm() throws Exception {
    Recorded expected = Agents.record(sessions.resolve("a"), agent(models.get(), false));
    try (SessionRecorder session = SessionRecorder.start(sessions.resolve("b"), "b")) {
      AgentScope scope = AgentScope.recording(session, Executors.none());
      agent(models.get(), false).run(SpringAiCalls.to(SpringAiReplayer.of(scope)));
    }
    Recorded recorded = Recorded.read(Session.open(sessions.resolve("b"))).isValid();
    assertThat(recorded.modelCalls().get(1).prompt())
        .isEqualTo(expected.modelCalls().get(1).prompt());
    assertThat(recorded.toolResults())
        .extracting(result -> result.output().value())
        .containsExactlyInAnyOrderElementsOf(expected.toolResults().stream()
            .map(result -> result.output().value())
            .toList());
    assertThat(recorded.end().summary()).isEqualTo("All is fine");
  }

  @Test
  void aForkAtEachPoint_isIdentical_andProved() throws Exception {
    Recorded recorded = Agents.record(sessions.resolve("a"), agent(models.get(), false));
    List<ForkPoint> points = ForkPoints.of(recorded.session()).possible();
    assertThat(points).hasSizeGreaterThanOrEqualTo(4);
    for (ForkPoint point : points) {
      Path out = sessions.resolve("fork-" + point.line());
      assertIdentical(Replay.of(recorded.session())
          .policy(pure(ReplayMode.TOOLS_LIVE))
          .fork(Fork.at(point.line()))
          .directory(out)
          .run(scope ->
              agent(models.get(), false).run(SpringAiCalls.to(SpringAiReplayer.of(scope)))));
      Recorded.read(Session.open(out)).isValid();
    }
  }

  @Test
  void lanesOfClientsThatAreTools_areReplayed() throws Exception {
    Path directory = sessions.resolve("s");
    Agents.Agent agent = calls -> {
      ChatClient reviewer = ChatClient.builder(calls.wrap(ScriptedChatModel.inTurn("fine")))
          .defaultAdvisors(calls.advisor("Reviewer"))
          .build();
      ToolCallback ask = FunctionToolCallback.builder(
              "ask",
              (Map<String, Object> input) -> reviewer.prompt("Review").call().content())
          .inputType(Map.class)
          .build();
      assertThat(Agents.client(
                  calls, ScriptedChatModel.inTurn(calling(tool("c1", "ask", "{}")), "done"))
              .defaultTools(ask)
              .build()
              .prompt("Go")
              .call()
              .content())
          .isEqualTo("done");
    };
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      SpringAiRecorder recorder = SpringAiRecorder.into(session);
      agent.run(SpringAiCalls.to(recorder));
      session.end(Status.SUCCESS, 1.0);
      assertThat(recorder.failures()).isZero();
    }
    assertIdentical(Replay.of(Session.open(directory))
        .policy(ReplayPolicy.of(ReplayMode.MOCK).withTool("ask", ReplayAction.EXECUTE))
        .run(scope -> {
          agent.run(SpringAiCalls.to(SpringAiReplayer.ofShared(scope)));
          scope.end(SessionEnd.of(Status.SUCCESS).withConfidence(1.0));
        }));
  }

  @Test
  void toolListsThatChangeBetweenRounds_areRecordedAndReplayed() throws Exception {
    List<ToolCallback> all = List.of(ToolCallbacks.from(tools));
    Agents.Agent agent = calls -> {
      ScriptedChatModel model = ScriptedChatModel.inTurn("one", "two");
      ChatClient client = Agents.client(calls, model).build();
      client.prompt("Go").tools(all.get(0)).call().content();
      client.prompt("Go").tools(all.get(0), all.get(1)).call().content();
    };
    try (SessionRecorder session = SessionRecorder.start(sessions.resolve("s"), "s")) {
      agent.run(SpringAiCalls.to(SpringAiRecorder.into(session)));
      session.end(Status.SUCCESS, 1.0);
    }
    Session session = Session.open(sessions.resolve("s"));
    Recorded recorded = Recorded.read(session).isValid();
    assertThat(recorded.modelCalls())
        .extracting(call -> call.prompt().value().at("/context/tools").asArray().size())
        .containsExactly(1, 2);
    assertIdentical(Replay.of(session).mode(ReplayMode.MOCK).run(scope -> {
      agent.run(SpringAiCalls.to(SpringAiReplayer.ofShared(scope)));
      scope.end(SessionEnd.of(Status.SUCCESS).withConfidence(1.0));
    }));
  }
}
