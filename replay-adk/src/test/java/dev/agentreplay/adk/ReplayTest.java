package dev.agentreplay.adk;

import static dev.agentreplay.adk.Runs.assertIdentical;
import static dev.agentreplay.adk.ScriptedModel.call;
import static dev.agentreplay.adk.ScriptedModel.functionCall;
import static dev.agentreplay.adk.ScriptedModel.response;
import static dev.agentreplay.adk.ScriptedModel.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.adk.agents.BaseAgent;
import com.google.adk.agents.LlmAgent;
import com.google.adk.agents.LoopAgent;
import com.google.adk.agents.ParallelAgent;
import com.google.adk.agents.RunConfig;
import com.google.adk.agents.SequentialAgent;
import com.google.adk.events.Event;
import com.google.adk.models.BaseLlm;
import com.google.adk.models.LlmResponse;
import com.google.adk.tools.AgentTool;
import com.google.genai.errors.ClientException;
import com.google.genai.types.FinishReason;
import com.google.genai.types.GenerateContentConfig;
import com.google.genai.types.Part;
import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkPoint;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayMissException;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayAction;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonString;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Recorded runs are replayed. */
class ReplayTest {

  /** An agent that is made of models and tools that count their executions. */
  private interface Scenario extends Function<Parts, BaseAgent> {}

  private static final class Parts {
    final Tools tools = new Tools();
    final Queue<ScriptedModel> models = new ConcurrentLinkedQueue<>();

    ScriptedModel model(ScriptedModel model) {
      models.add(model);
      return model;
    }

    LlmAgent.Builder agent(String name, ScriptedModel model, Object... given) {
      return LlmAgent.builder()
          .name(name)
          .description("Helps")
          .model(model(model))
          .tools(given);
    }

    int modelCalls() {
      return models.stream().mapToInt(model -> model.requests.size()).sum();
    }
  }

  private static final Map<String, Scenario> SCENARIOS = new LinkedHashMap<>();

  private static boolean isCall(LlmResponse response) {
    return response
        .content()
        .orElseThrow()
        .parts()
        .orElseThrow()
        .get(0)
        .functionCall()
        .isPresent();
  }

  /** A call whose arguments are not in alphabetical order. */
  private static LlmResponse ordered() {
    Map<String, Object> arguments = new LinkedHashMap<>();
    arguments.put("path", "x");
    arguments.put("limit", 7);
    return call("sorted", arguments);
  }

  private static LlmResponse reading() {
    return call("read", Map.of("path", "a.txt"));
  }

  static {
    SCENARIOS.put(
        "text", parts -> parts.agent("a", ScriptedModel.byTurn(text("hi"))).build());
    SCENARIOS.put("tool", parts -> parts
        .agent("a", ScriptedModel.byTurn(reading(), text("done")), parts.tools.tool("read"))
        .instruction("Be brief.")
        .generateContentConfig(GenerateContentConfig.builder().temperature(0.1f).build())
        .build());
    SCENARIOS.put("parallel tools", parts -> parts
        .agent(
            "a",
            ScriptedModel.byTurn(
                response(
                    functionCall("x", "read", Map.of("path", "a")),
                    functionCall("x", "read", Map.of("path", "b")),
                    functionCall(null, "count", Map.of())),
                text("done")),
            parts.tools.tool("read"),
            parts.tools.tool("count"))
        .build());
    SCENARIOS.put("state", parts -> parts
        .agent(
            "a",
            ScriptedModel.byTurn(call("count", Map.of()), call("count", Map.of()), text("done")),
            parts.tools.tool("count"))
        .instruction("The count is {count?}.")
        .outputKey("answer")
        .build());
    SCENARIOS.put("broken function", parts -> parts
        .agent(
            "a",
            ScriptedModel.byTurn(call("broken", Map.of("path", "x")), text("done")),
            parts.tools.tool("broken"))
        .build());
    SCENARIOS.put("failing tool", parts -> parts
        .agent(
            "a",
            ScriptedModel.byTurn(call("fail", Map.of())),
            Tools.failing(new IllegalStateException("cannot")))
        .build());
    SCENARIOS.put("recovered tool", parts -> parts
        .agent(
            "a",
            ScriptedModel.byTurn(call("fail", Map.of()), text("done")),
            Tools.failing(new java.io.IOException("cannot")))
        .onToolErrorCallback((invocation, tool, arguments, context, error) ->
            Maybe.just(Map.of("recovered", String.valueOf(error.getMessage()))))
        .build());
    SCENARIOS.put("failing model", parts -> parts
        .agent(
            "a",
            new ScriptedModel(request ->
                Flowable.error(new ClientException(429, "RESOURCE_EXHAUSTED", "Quota. Wait"))))
        .build());
    SCENARIOS.put("recovered model", parts -> parts
        .agent("a", new ScriptedModel(request -> Flowable.error(new IllegalStateException("x"))))
        .onModelErrorCallback(
            (context, request, error) -> Maybe.just(text("recovered from " + error.getMessage())))
        .build());
    SCENARIOS.put("error code", parts -> parts
        .agent(
            "a",
            ScriptedModel.byTurn(LlmResponse.builder()
                .errorCode(new FinishReason("SAFETY"))
                .errorMessage("blocked")
                .build()))
        .build());
    SCENARIOS.put("callbacks", parts -> parts
        .agent("a", ScriptedModel.byTurn(reading(), text("done")), parts.tools.tool("read"))
        .beforeModelCallback((context, request) -> {
          request.appendInstructions(List.of("Added."));
          return Maybe.empty();
        })
        .afterModelCallback(
            (context, response) -> isCall(response) ? Maybe.empty() : Maybe.just(text("changed")))
        .afterToolCallback(
            (invocation, tool, arguments, context, result) -> Maybe.just(Map.of("wrapped", result)))
        .build());
    SCENARIOS.put("answering callback", parts -> parts
        .agent("a", ScriptedModel.byTurn(text("unused"), text("done")), parts.tools.tool("read"))
        .beforeModelCallback((context, request) ->
            ScriptedModel.results(request.build()) == 0 ? Maybe.just(reading()) : Maybe.empty())
        .build());
    SCENARIOS.put("answering tool callback", parts -> parts
        .agent("a", ScriptedModel.byTurn(reading(), text("done")), parts.tools.tool("read"))
        .beforeToolCallback(
            (invocation, tool, arguments, context) -> Maybe.just(Map.of("cached", true)))
        .build());
    SCENARIOS.put("cut texts", parts -> parts
        .agent(
            "a",
            ScriptedModel.byTurn(call("cut", Map.of("path", "x\ud83d")), text("cut \ud83d")),
            parts.tools.tool("cut"))
        .build());
    SCENARIOS.put("images", parts -> parts
        .agent(
            "a",
            ScriptedModel.byTurn(response(Part.fromBytes(new byte[] {1, -1, 100}, "image/png"))))
        .build());
    SCENARIOS.put("long running", parts -> parts
        .agent(
            "a",
            ScriptedModel.byTurn(call("ask", Map.of("question", "ok?"))),
            parts.tools.longRunning("ask"))
        .build());
    SCENARIOS.put("transfer", parts -> parts
        .agent("a", ScriptedModel.inTurn(call("transfer_to_agent", Map.of("agent_name", "b"))))
        .subAgents(parts.agent("b", ScriptedModel.byTurn(text("helped"))).build())
        .build());
    SCENARIOS.put("transfer after calls", parts -> parts
        .agent(
            "a",
            ScriptedModel.byTurn(
                call("sorted", new LinkedHashMap<>(Map.of("path", "x"))),
                ordered(),
                call("transfer_to_agent", Map.of("agent_name", "b"))),
            parts.tools.tool("sorted"))
        .subAgents(parts
            .agent("b", ScriptedModel.byTurn(text("-"), text("-"), text("-"), text("helped")))
            .build())
        .build());
    SCENARIOS.put("workflow", parts -> SequentialAgent.builder()
        .name("all")
        .subAgents(
            LoopAgent.builder()
                .name("loop")
                .maxIterations(5)
                .subAgents(parts
                    .agent(
                        "three",
                        ScriptedModel.inTurn(text("3"), call("leave", Map.of())),
                        parts.tools.tool("leave"))
                    .build())
                .build(),
            // after the loop, which would see what others said in any order
            ParallelAgent.builder()
                .name("both")
                .subAgents(
                    parts.agent("one", ScriptedModel.byTurn(text("1"))).build(),
                    parts.agent("two", ScriptedModel.byTurn(text("2"))).build())
                .build())
        .build());
    SCENARIOS.put("agent tool without plugins", parts -> parts
        .agent(
            "a",
            ScriptedModel.byTurn(call("b", Map.of("request", "one")), text("done")),
            AgentTool.create(
                parts.agent("b", ScriptedModel.byTurn(text("helped"))).build()))
        .build());
  }

  static Stream<String> scenarios() {
    return SCENARIOS.keySet().stream();
  }

  @TempDir
  private Path sessions;

  private final Queue<Parts> made = new ConcurrentLinkedQueue<>();

  private Supplier<BaseAgent> agent(Scenario scenario) {
    return () -> {
      Parts parts = new Parts();
      made.add(parts);
      return scenario.apply(parts);
    };
  }

  private Session record(Supplier<BaseAgent> agent) {
    Session session = Runs.record(sessions, agent.get()).session();
    made.clear();
    return session;
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void a_run_is_replayed_without_its_model_and_tools(String name) throws Exception {
    Supplier<BaseAgent> agent = agent(SCENARIOS.get(name));
    List<String> expected = outcome(agent.get());
    Session session = record(agent);

    AtomicReference<List<String>> seen = new AtomicReference<>();
    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.MOCK)
        .run(scope -> seen.set(outcome(agent.get(), AdkReplayer.of(scope).plugin())));

    assertIdentical(report);
    assertThat(seen.get()).isEqualTo(expected);
    for (Parts parts : made) {
      assertThat(parts.modelCalls()).isZero();
      assertThat(parts.tools.take()).isEmpty();
    }
  }

  /** The events of a run as an application sees them, and the exception that it gets. */
  private static List<String> outcome(BaseAgent agent, com.google.adk.plugins.Plugin... plugins) {
    List<String> outcome = new ArrayList<>();
    List<Event> events = new ArrayList<>();
    com.google.adk.runner.InMemoryRunner runner =
        new com.google.adk.runner.InMemoryRunner(agent, "app", List.of(plugins));
    String id =
        runner.sessionService().createSession("app", "alice").blockingGet().id();
    try {
      runner
          .runAsync("alice", id, Runs.user("go"), RunConfig.builder().build())
          .blockingForEach(events::add);
    } catch (RuntimeException e) {
      outcome.add(e.toString());
    }
    outcome.addAll(Runs.shown(events));
    // agents at the same time
    return outcome.stream().sorted().toList();
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void everything_runs_and_is_compared_in_a_full_replay(String name) throws Exception {
    Supplier<BaseAgent> agent = agent(SCENARIOS.get(name));
    Session session = record(agent);
    ReplayPolicy policy = ReplayPolicy.of(ReplayMode.FULL);
    for (String tool : List.of(
        "read",
        "broken",
        "count",
        "leave",
        "cut",
        "ask",
        "fail",
        "b",
        "sorted",
        "transfer_to_agent")) {
      policy = policy.withEffect(tool, Effect.PURE);
    }

    assertIdentical(Runs.replay(session, policy, agent));
  }

  @Test
  void models_and_tools_run_where_the_policy_says_so() throws Exception {
    Supplier<BaseAgent> agent = agent(SCENARIOS.get("tool"));
    Session session = record(agent);

    assertIdentical(Runs.replay(session, ReplayPolicy.of(ReplayMode.MODEL_LIVE), agent));
    assertThat(made.peek().modelCalls()).isEqualTo(2);
    assertThat(made.remove().tools.take()).isEmpty();

    assertIdentical(Runs.replay(
        session, ReplayPolicy.of(ReplayMode.TOOLS_LIVE).withEffect("read", Effect.PURE), agent));
    assertThat(made.peek().modelCalls()).isZero();
    assertThat(made.remove().tools.take()).containsExactly("read");
  }

  @Test
  void a_different_answer_of_a_live_model_is_found() throws Exception {
    Session session = record(agent(SCENARIOS.get("tool")));

    ReplayReport report =
        Runs.replay(session, ReplayPolicy.of(ReplayMode.MODEL_LIVE), agent(parts -> parts
            .agent("a", ScriptedModel.byTurn(reading(), text("other")), parts.tools.tool("read"))
            .instruction("Be brief.")
            .generateContentConfig(
                GenerateContentConfig.builder().temperature(0.1f).build())
            .build()));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergences().get(0).recordedLine()).isEqualTo(line(session, "ModelCall", 2));
  }

  private static long line(Session session, String kind, int number) throws Exception {
    Recorded recorded = Recorded.read(session);
    int found = 0;
    for (int i = 0; i < recorded.events().size(); i++) {
      if (recorded.events().get(i).kind().id().equals(kind) && ++found == number) {
        return i + 1;
      }
    }
    throw new AssertionError(kind);
  }

  @Test
  void a_changed_instruction_fails_the_run_at_the_first_request() throws Exception {
    Session session = record(agent(SCENARIOS.get("tool")));
    Supplier<BaseAgent> changed = agent(parts -> parts
        .agent("a", ScriptedModel.byTurn(reading(), text("done")), parts.tools.tool("read"))
        .instruction("Be long.")
        .generateContentConfig(GenerateContentConfig.builder().temperature(0.1f).build())
        .build());
    AtomicReference<Throwable> thrown = new AtomicReference<>();

    ReplayReport report = Replay.of(session).mode(ReplayMode.MOCK).run(scope -> {
      try {
        Runs.run(scope, changed.get());
      } catch (RuntimeException e) {
        thrown.set(e);
      }
    });

    assertThat(thrown.get()).isInstanceOf(ReplayMissException.class);
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.root().recordedLine()).isEqualTo(line(session, "ModelCall", 1));
    assertThat(made).allMatch(parts -> parts.modelCalls() == 0);
  }

  @Test
  void a_miss_of_a_tool_is_red_even_if_a_callback_recovers() throws Exception {
    Session session = record(agent(SCENARIOS.get("tool")));

    ReplayReport report = Runs.mock(session, agent(parts -> parts
        .agent("a", ScriptedModel.byTurn(reading(), text("done")), parts.tools.tool("read"))
        .instruction("Be brief.")
        .generateContentConfig(GenerateContentConfig.builder().temperature(0.1f).build())
        .afterModelCallback((context, response) ->
            isCall(response) ? Maybe.just(call("read", Map.of("path", "other"))) : Maybe.empty())
        .onToolErrorCallback(
            (invocation, tool, arguments, context, error) -> Maybe.just(Map.of("ok", true)))
        .build()));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.root().recordedLine()).isEqualTo(line(session, "ToolCall", 1));
  }

  @Test
  void agents_that_are_tools_are_replayed_in_their_lanes() throws Exception {
    Supplier<BaseAgent> agent = agent(parts -> parts
        .agent(
            "a",
            ScriptedModel.byTurn(
                response(
                    functionCall("1", "b", Map.of("request", "one")),
                    functionCall("2", "b", Map.of("request", "two"))),
                text("done")),
            AgentTool.create(
                parts
                    .agent(
                        "b",
                        new ScriptedModel(request ->
                            Flowable.just(text("re " + request.contents().get(0).text()))))
                    .build(),
                false,
                true))
        .build());
    Session session = record(agent);

    assertIdentical(Runs.replay(
        session, ReplayPolicy.of(ReplayMode.MOCK).withTool("b", ReplayAction.EXECUTE), agent));
    assertThat(made).allMatch(parts -> parts.modelCalls() == 0);

    assertThat(Runs.mock(session, agent).circumstances().toString()).contains("b on line");
  }

  @Test
  void a_wrapped_model_streams_the_recorded_pieces() throws Exception {
    ScriptedModel model = ScriptedModel.streaming("Hel", "lo ", "you");
    Function<BaseLlm, BaseAgent> agent =
        llm -> LlmAgent.builder().name("a").model(llm).build();
    List<String> expected = Runs.shown(Runs.run(agent.apply(model), Runs.user("go"), Runs.SSE));
    Session session = Runs.record(sessions, agent.apply(model), Runs.SSE).session();
    model.requests.clear();
    List<String> seen = new ArrayList<>();

    ReplayReport report = Replay.of(session).mode(ReplayMode.MOCK).run(scope -> {
      AdkReplayer replayer = AdkReplayer.of(scope);
      seen.addAll(Runs.shown(Runs.run(
          agent.apply(replayer.model(model)), Runs.user("go"), Runs.SSE, replayer.plugin())));
    });

    assertIdentical(report);
    assertThat(seen).hasSize(4).isEqualTo(expected);
    assertThat(model.requests).isEmpty();

    ReplayReport live = Replay.of(session).mode(ReplayMode.MODEL_LIVE).run(scope -> {
      AdkReplayer replayer = AdkReplayer.of(scope);
      seen.clear();
      seen.addAll(Runs.shown(Runs.run(
          agent.apply(replayer.model(model)), Runs.user("go"), Runs.SSE, replayer.plugin())));
    });

    assertIdentical(live);
    assertThat(seen).isEqualTo(expected);
    assertThat(model.requests).hasSize(1);
  }

  @Test
  void a_stream_is_replayed_whole_without_a_wrapper() throws Exception {
    ScriptedModel model = ScriptedModel.streaming("Hel", "lo");
    BaseAgent agent = LlmAgent.builder().name("a").model(model).build();
    Session session = Runs.record(sessions, agent, Runs.SSE).session();
    for (ReplayMode mode : List.of(ReplayMode.MOCK, ReplayMode.MODEL_LIVE)) {
      List<String> seen = new ArrayList<>();

      ReplayReport report = Replay.of(session)
          .mode(mode)
          .run(scope -> seen.addAll(Runs.shown(
              Runs.run(agent, Runs.user("go"), Runs.SSE, AdkReplayer.of(scope).plugin()))));

      assertIdentical(report);
      assertThat(seen).hasSize(1);
    }
  }

  @Test
  void a_wrapped_model_cannot_be_called_outside_of_a_run() throws Exception {
    Session session = record(agent(SCENARIOS.get("text")));
    Replay.of(session).mode(ReplayMode.MOCK).run(scope -> {
      BaseLlm model = AdkReplayer.of(scope).model(ScriptedModel.inTurn(text("x")));
      assertThatThrownBy(
              () -> Runs.run(LlmAgent.builder().name("a").model(model).build()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("AdkReplayer.plugin()");
    });
  }

  @Test
  void forks_are_identical_at_each_point_and_continue_after_a_change() throws Exception {
    Supplier<BaseAgent> agent = agent(SCENARIOS.get("tool"));
    Session session = record(agent);
    ReplayPolicy policy = ReplayPolicy.of(ReplayMode.TOOLS_LIVE).withEffect("read", Effect.PURE);
    List<ForkPoint> points = ForkPoints.of(session).possible();
    assertThat(points).hasSizeGreaterThanOrEqualTo(3);
    for (ForkPoint point : points) {
      assertIdentical(Replay.of(session)
          .policy(policy)
          .fork(Fork.at(point.line()))
          .run(scope -> Runs.run(scope, agent.get())));
    }
    made.clear();
    Parts live = new Parts();
    BaseAgent continued = live.agent(
            "a",
            new ScriptedModel(request -> Flowable.just(text("read "
                + ScriptedModel.responses(request).get(0).response().get().get("text")))),
            live.tools.tool("read"))
        .instruction("Be brief.")
        .generateContentConfig(GenerateContentConfig.builder().temperature(0.1f).build())
        .build();
    List<String> seen = new ArrayList<>();

    ReplayReport changed = Replay.of(session)
        .policy(ReplayPolicy.of(ReplayMode.MOCK).withEffect("read", Effect.PURE))
        .fork(Fork.at(line(session, "ToolCall", 1)).set("/output/text", JsonString.of("fork")))
        .run(scope -> seen.addAll(Runs.shown(Runs.run(scope, continued))));

    assertThat(changed.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(live.modelCalls()).isEqualTo(1);
    assertThat(seen.get(seen.size() - 1)).contains("read fork");
  }
}
